# SPDX-License-Identifier: Apache-2.0
# The sources of CEMV, for every build with CMake: CMakeLists.txt (desktop and ESP-IDF) and zephyr/CMakeLists.txt.
# Scripts/kernel-modules compares the lists with the tree.
set(CEMV_DIRECTORY "${CMAKE_CURRENT_LIST_DIR}/../Sources/CEMV")
set(CEMV_KERNELS 2 3 4 5 6 7 8)

set(CEMV_SOURCES
    account/account.c
    account/brand.c
    account/track.c
    crypto/block.c
    crypto/fastest.c
    crypto/p256.c
    crypto/p256_base.c
    crypto/port.c
    crypto/rsa.c
    crypto/sha1.c
    crypto/sha256.c
    cryptogram/chip.c
    cryptogram/data_set.c
    cryptogram/iad.c
    cryptogram/layouts.c
    cryptogram/scheme.c
    data/afl.c
    data/store.c
    data/tags.c
    debug/cryptogram_names.c
    debug/decision_names.c
    debug/engine_names.c
    debug/message_names.c
    debug/tag_names.c
    entry/directory.c
    entry/entry.c
    entry/preprocess.c
    exchange/lists.c
    exchange/relay.c
    exchange/scripts.c
    exchange/torn.c
    kernels/account_checks.c
    kernels/authentication.c
    kernels/commands.c
    kernels/end.c
    kernels/fci.c
    kernels/interface.c
    kernels/protection.c
    kernels/random.c
    kernels/values.c
    oda/ca_key.c
    oda/certificate.c
    oda/chain.c
    oda/issuer_keys.c
    oda/signature.c
    outcome/output.c
    rules/action.c
    rules/bits.c
    rules/cvm.c
    rules/restrictions.c
    rules/risk.c
    rules/terminal_type.c
    session/amount.c
    session/configuration.c
    session/fingerprint.c
    session/limits.c
    session/presented.c
    session/replies.c
    session/session.c
    wire/apdu.c
    wire/dol.c
    wire/numbers.c
    wire/tlv.c
    wire/wipe.c
    wire/writer.c
)

set(CEMV_KERNEL_2_SOURCES
    kernels/k2/k2.c
    kernels/k2/k2_answers.c
    kernels/k2/k2_cda.c
    kernels/k2/k2_configuration.c
    kernels/k2/k2_decisions.c
    kernels/k2/k2_exchange.c
    kernels/k2/k2_magstripe.c
    kernels/k2/k2_names.c
    kernels/k2/k2_protection.c
    kernels/k2/k2_records.c
    kernels/k2/k2_relay.c
    kernels/k2/k2_rules.c
    kernels/k2/k2_storage.c
    kernels/k2/k2_tags.c
    kernels/k2/k2_torn.c
    kernels/k2/k2_values.c
)

set(CEMV_KERNEL_3_SOURCES
    kernels/k3/k3.c
    kernels/k3/k3_names.c
    kernels/k3/k3_rules.c
    kernels/k3/k3_settings.c
    kernels/k3/k3_tags.c
)

set(CEMV_KERNEL_4_SOURCES
    kernels/k4/k4.c
    kernels/k4/k4_configuration.c
    kernels/k4/k4_data.c
    kernels/k4/k4_decisions.c
    kernels/k4/k4_end.c
    kernels/k4/k4_issuer.c
    kernels/k4/k4_names.c
    kernels/k4/k4_oda.c
    kernels/k4/k4_rules.c
    kernels/k4/k4_settings.c
    kernels/k4/k4_tags.c
)

set(CEMV_KERNEL_5_SOURCES
    kernels/k5/k5.c
    kernels/k5/k5_answers.c
    kernels/k5/k5_configuration.c
    kernels/k5/k5_cryptogram.c
    kernels/k5/k5_end.c
    kernels/k5/k5_lists.c
    kernels/k5/k5_names.c
    kernels/k5/k5_risk.c
    kernels/k5/k5_rules.c
    kernels/k5/k5_settings.c
    kernels/k5/k5_tags.c
    kernels/k5/k5_torn.c
    kernels/k5/k5_update.c
)

set(CEMV_KERNEL_6_SOURCES
    kernels/k6/k6.c
    kernels/k6/k6_configuration.c
    kernels/k6/k6_end.c
    kernels/k6/k6_magstripe.c
    kernels/k6/k6_names.c
    kernels/k6/k6_oda.c
    kernels/k6/k6_rules.c
    kernels/k6/k6_selection.c
    kernels/k6/k6_settings.c
    kernels/k6/k6_tags.c
    kernels/k6/k6_tracks.c
)

set(CEMV_KERNEL_7_SOURCES
    kernels/k7/k7.c
    kernels/k7/k7_names.c
    kernels/k7/k7_responses.c
    kernels/k7/k7_rules.c
    kernels/k7/k7_settings.c
    kernels/k7/k7_tags.c
)

set(CEMV_KERNEL_8_SOURCES
    kernels/k8/k8.c
    kernels/k8/k8_authentication.c
    kernels/k8/k8_certificates.c
    kernels/k8/k8_channel.c
    kernels/k8/k8_configuration.c
    kernels/k8/k8_data.c
    kernels/k8/k8_end.c
    kernels/k8/k8_exchange.c
    kernels/k8/k8_names.c
    kernels/k8/k8_objects.c
    kernels/k8/k8_rules.c
    kernels/k8/k8_settings.c
    kernels/k8/k8_tags.c
)

# Sets `sources` to the paths of the common sources and those of the kernels given after the two names, and
# `definitions` to the definitions that every program with these sources needs.
function(cemv_choose sources definitions)
    set(files ${CEMV_SOURCES})
    set(without)
    foreach(number IN LISTS CEMV_KERNELS)
        if(number IN_LIST ARGN)
            list(APPEND files ${CEMV_KERNEL_${number}_SOURCES})
        else()
            list(APPEND without CEMV_WITHOUT_KERNEL_${number})
        endif()
    endforeach()
    list(TRANSFORM files PREPEND "${CEMV_DIRECTORY}/")
    set(${sources} ${files} PARENT_SCOPE)
    set(${definitions} ${without} PARENT_SCOPE)
endfunction()
