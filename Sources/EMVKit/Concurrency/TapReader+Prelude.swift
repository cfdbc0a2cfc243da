// SPDX-License-Identifier: Apache-2.0
/// Carries out a prelude: lends it the card until its limit, and waits for nothing else.
extension TapReader {
    nonisolated func handle(_ prelude: some Prelude) -> PreludeHandle {
        PreludeHandle(prelude, sendsAnnotations: transport.sendsPollingFrames)
    }

    func hold(_ prelude: some Prelude, _ timeout: Duration?, generation: Int?) async -> PreludeOutcome {
        let run = PreludeRun(handle: handle(prelude), timeout: timeout)
        let action = machine.preludeRequested(
            run, generation: generation, expired: expired, isCancelled: Task.isCancelled)
        guard case .prelude(let outcome) = await answer(action) else { return .failed(.internal) }
        return outcome
    }

    /// Lends the card to the prelude until this returns. A command already sent is the last one and is allowed to
    /// finish; otherwise the next command would get its answer.
    func lendCard(to handle: PreludeHandle) async -> (end: PreludeEnd, isReaderGone: Bool) {
        let prelude = handle.prelude, limit = prelude.limit
        lendings += 1
        let number = lendings
        lending = Lending(number: number, limit: limit, elapsed: stopwatch(options.timer))
        let card = PreludeCard { [weak self] command in await self?.send(command, number) ?? .over }
        _ = await race(limit, by: options.timer) { await prelude.hold(card) }
        lending?.isOpen = false
        if let exchange = lending?.exchange {
            let last = await withTaskCancellationHandler {
                await exchange.value
            } onCancel: {
                exchange.cancel()
            }
            _ = take(last, number)
        }
        let answers = lending?.answers ?? []
        let isReaderGone = lending?.isReaderGone == true
        lending = nil
        return (await prelude.end(after: answers), isReaderGone)
    }

    private func send(_ command: Bytes, _ number: Int) async -> PreludeAnswer {
        guard let open = lending, open.number == number, open.isOpen, open.exchange == nil, open.spent < open.limit,
            machine.interruption == nil
        else { return .over }
        // A separate task, so that a command in progress is not cut off when the time is up.
        let task = Task { await transport.transceive(command) }
        lending?.exchange = task
        return take(await task.value, number)
    }

    /// When the time is up, both the sender and the reader wait for a command in progress. The first of them to resume
    /// records the result.
    private func take(_ exchange: Exchange, _ number: Int) -> PreludeAnswer {
        let answer: PreludeAnswer =
            switch exchange {
            case .response(let bytes, _): .response(bytes)
            case .fault(let fault): .fault(fault)
            case .readerGone: .over
            }
        guard lending?.number == number, lending?.exchange != nil else { return answer }
        lending?.exchange = nil
        lending?.answers.append(answer)
        switch exchange {
        case .response(_, let elapsed): lending?.reported += elapsed ?? .zero
        case .fault: lending?.isOpen = false
        case .readerGone:
            lending?.isOpen = false
            lending?.isReaderGone = true
        }
        return answer
    }
}

/// A card that is lent to a prelude.
struct Lending {
    let number: Int
    let limit: Duration
    /// The time since the card arrived, by the reader's clock.
    let elapsed: @Sendable () -> Duration
    var isOpen = true
    var isReaderGone = false
    /// The command in progress.
    var exchange: Task<Exchange, Never>?
    /// The results of the commands that were sent.
    var answers: [PreludeAnswer] = []
    /// The time that the transport measured for the earlier commands.
    var reported = Duration.zero

    /// The larger of the two times: not every clock advances by itself, and not every transport measures.
    var spent: Duration { max(elapsed(), reported) }
}

private func stopwatch(_ clock: some Clock<Duration>) -> @Sendable () -> Duration {
    let start = clock.now
    return { start.duration(to: clock.now) }
}
