// SPDX-License-Identifier: Apache-2.0
#if Tools
extension Page {
    /// Light or dark as set in the viewer's system; works from the width of a phone upwards.
    static let style = """
        :root{--ink:#1c2430;--soft:#5c6775;--line:#dfe3e8;--ground:#fff;--track:#f0f2f5;--bad:#c0272d;
        --c1:#2b6cb0;--c2:#a9b2bd;--c3:#2f8f66;--c4:#d9822b;--c5:#b03a6a;
        --p1:#3d5a80;--p2:#5f8fb8;--p3:#8ab6a5;--p4:#d9822b;--p5:#b03a6a}
        @media(prefers-color-scheme:dark){:root{--ink:#e6e9ee;--soft:#9aa5b3;--line:#2f3742;--ground:#151a21;\
        --track:#222932;--bad:#ff7b72;
        --c1:#5b9bd8;--c2:#6d7885;--c3:#4fb58a;--c4:#e39a4e;--c5:#d4689a;--p1:#6f93c4;--p2:#8fbbe0;--p3:#7fb8a3;\
        --p4:#e39a4e;--p5:#d4689a}}
        *{box-sizing:border-box}
        body{font:16px/1.5 system-ui,sans-serif;max-width:66rem;margin:2.5rem auto;padding:0 1.25rem;color:var(--ink);\
        background:var(--ground)}
        h1{font-size:1.9rem;margin:0 0 .25rem}h2{font-size:1.3rem;margin:0}\
        h3{font-size:.85rem;font-weight:600;color:var(--soft);margin:1.4rem 0 .4rem}
        p{margin:.2rem 0 .8rem}header p,footer,.none{color:var(--soft)}\
        a{color:inherit;text-decoration-color:var(--c1);text-underline-offset:.2em}
        section{border-top:1px solid var(--line);margin-top:2.5rem;padding-top:1.5rem}\
        footer{border-top:1px solid var(--line);margin:2.5rem 0;padding-top:1rem}
        table{border-collapse:collapse;width:100%;font-size:.9rem;font-variant-numeric:tabular-nums}
        th,td{padding:.28rem .5rem;text-align:right;vertical-align:baseline}\
        th{font-weight:600;color:var(--soft);border-bottom:1px solid var(--line)}
        th:first-child,td:first-child,.text{text-align:left}td:first-child{white-space:nowrap;padding-left:0}\
        tbody tr:hover{background:var(--track)}
        td.text{color:var(--soft)}td.meter{width:18%;min-width:3rem;padding-right:0}\
        td.meter i{display:block;height:.6rem;border-radius:2px;margin-right:auto;min-width:1px}
        small{font-size:.8em;color:var(--soft);margin-left:.5em}
        dl{display:flex;flex-wrap:wrap;gap:.6rem 2rem;margin:.8rem 0}dt{font-size:.8rem;color:var(--soft)}\
        dd{margin:0;font-variant-numeric:tabular-nums}
        figure{margin:0 0 1rem;font-size:.85rem}figcaption{color:var(--soft);font-size:.8rem}
        .row{display:grid;grid-template-columns:14.5rem minmax(0,1fr) 6rem;gap:.75rem;align-items:center;\
        min-height:1.6em}
        .name{overflow-wrap:anywhere}.value{text-align:right;font-variant-numeric:tabular-nums;white-space:nowrap}\
        .over{color:var(--bad);font-weight:600}
        .track{position:relative;display:block;height:.8rem;background:var(--track);border-radius:2px;overflow:hidden}\
        .track.thick{height:1.3rem}
        .track i,.track b{position:absolute;top:0;bottom:0;min-width:1px}.track b{width:2px;background:var(--bad)}
        .again{color:var(--soft);font-style:italic;margin:.3rem 0}
        .axis{color:var(--soft);font-size:.75rem}.axis>:last-child{text-align:right}\
        .ticks{position:relative;height:1.3em}.ticks span{position:absolute;transform:translateX(-50%)}\
        .ticks span:first-child{transform:none}
        ul{list-style:none;display:flex;flex-wrap:wrap;gap:.2rem 1.2rem;margin:.4rem 0 0;padding:0;font-size:.8rem;\
        color:var(--soft)}
        li i{display:inline-block;width:.7em;height:.7em;border-radius:2px;margin-right:.45em}
        svg{display:block;width:100%;height:4.5rem;fill:var(--c4);border-bottom:1px solid var(--soft);margin-top:.3rem}
        .ends{display:flex;justify-content:space-between;font-size:.75rem;color:var(--soft)}\
        .ranks{font-size:.8rem;font-variant-numeric:tabular-nums}
        .c1{background:var(--c1)}.c2{background:var(--c2)}.c3{background:var(--c3)}.c4{background:var(--c4)}\
        .c5{background:var(--c5)}
        .p1{background:var(--p1)}.p2{background:var(--p2)}.p3{background:var(--p3)}.p4{background:var(--p4)}\
        .p5{background:var(--p5)}
        @media(max-width:44rem){.wide{display:none}.row{grid-template-columns:7rem minmax(0,1fr) 5.6rem;gap:.5rem}\
        figure{font-size:.75rem}table{font-size:.78rem}
        #functions td:first-child{white-space:normal;overflow-wrap:anywhere;min-width:5rem}
        th,td{padding:.25rem .3rem}td small{display:block;margin:0}td.meter{width:12%;min-width:1.5rem}\
        .ticks span:nth-child(even){display:none}}
        @media print{section{break-inside:avoid}body{margin:0;max-width:none}}
        """
}
#endif
