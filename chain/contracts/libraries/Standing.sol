// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

/**
 * @dev All that a decision asks of an agent's terms, in one slot and read as one word:
 *
 * | bits | |
 * |---|---|
 * | 0 to 39 | when the mandate begins, unix seconds |
 * | 40 to 79 | when it ends |
 * | 80 to 119 | when the guardian's last stop of this agent ends or ended |
 * | 120 to 151 | the mandate's version; 0 where the agent was never under this policy |
 * | 152 to 183 | the epoch of the agents' token, told with every transfer |
 * | 184 to 191 | the flags below |
 * | 192 to 255 | the categories |
 */
type Standing is uint256;

using {
    validAfter, expiry, guardianUntil, version, stamp, epoch, sides, has, categories, withEpoch, withFlag,
    withGuardianUntil, withMandate
} for Standing global;

uint8 constant BUY = 1;
uint8 constant SELL = 2;
/// @dev Only counterparties that are named as allowed.
uint8 constant ALLOWLIST_ONLY = 4;
/// @dev The mandate names counterparties: without any they need not be looked up.
uint8 constant HAS_LISTS = 8;
uint8 constant PAUSED_BY_OWNER = 16;
/// @dev The agent is bound to another settlement than the policy's own.
uint8 constant REBOUND = 32;
/// @dev The agent came over from another policy.
uint8 constant CAME_OVER = 64;

uint256 constant GUARDIAN_AT = 80;
uint256 constant VERSION_AT = 120;
uint256 constant EPOCH_AT = 152;
uint256 constant FLAGS_AT = 184;
uint256 constant CATEGORIES_AT = 192;

/// @dev When the mandate begins, unix seconds.
function validAfter(Standing self) pure returns (uint256) {
    return uint40(Standing.unwrap(self));
}

/// @dev When the mandate ends, unix seconds.
function expiry(Standing self) pure returns (uint256) {
    return uint40(Standing.unwrap(self) >> 40);
}

/// @dev When the guardian's last stop of this agent ends or ended, unix seconds.
function guardianUntil(Standing self) pure returns (uint256) {
    return uint40(Standing.unwrap(self) >> GUARDIAN_AT);
}

/// @dev The mandate's version.
function version(Standing self) pure returns (uint32) {
    return uint32(Standing.unwrap(self) >> VERSION_AT);
}

/// @dev Epoch and version in one word.
function stamp(Standing self) pure returns (uint64) {
    return uint64(Standing.unwrap(self) >> VERSION_AT);
}

/// @dev The agent's epoch.
function epoch(Standing self) pure returns (uint32) {
    return uint32(Standing.unwrap(self) >> EPOCH_AT);
}

/// @dev {BUY}, {SELL} or both.
function sides(Standing self) pure returns (uint8) {
    return uint8(Standing.unwrap(self) >> FLAGS_AT) & (BUY | SELL);
}

/// @dev Whether a flag is set.
function has(Standing self, uint8 flag) pure returns (bool) {
    return (Standing.unwrap(self) >> FLAGS_AT) & flag != 0;
}

/// @dev The bitmap of categories; 0: any.
function categories(Standing self) pure returns (uint256) {
    return Standing.unwrap(self) >> CATEGORIES_AT;
}

/// @dev In another epoch.
function withEpoch(Standing self, uint32 to) pure returns (Standing) {
    uint256 rest = Standing.unwrap(self) & ~(uint256(type(uint32).max) << EPOCH_AT);
    return Standing.wrap(rest | uint256(to) << EPOCH_AT);
}

/// @dev With a flag set or not.
function withFlag(Standing self, uint8 flag, bool on) pure returns (Standing) {
    uint256 bit = uint256(flag) << FLAGS_AT;
    return Standing.wrap(on ? Standing.unwrap(self) | bit : Standing.unwrap(self) & ~bit);
}

/// @dev With another end of the guardian's stop.
function withGuardianUntil(Standing self, uint256 until) pure returns (Standing) {
    uint256 rest = Standing.unwrap(self) & ~(uint256(type(uint40).max) << GUARDIAN_AT);
    return Standing.wrap(rest | uint256(uint40(until)) << GUARDIAN_AT);
}

/// @dev Under the next version of the mandate. Epoch, pauses and bindings stay.
function withMandate(Standing self, uint40 begins, uint40 ends, uint8 flags, uint64 bitmap) pure returns (Standing) {
    uint256 kept = uint256(type(uint40).max) << GUARDIAN_AT | uint256(type(uint32).max) << EPOCH_AT
        | uint256(PAUSED_BY_OWNER | REBOUND | CAME_OVER) << FLAGS_AT;
    uint256 next = uint256(version(self) + 1) << VERSION_AT;
    uint256 terms = uint256(begins) | uint256(ends) << 40 | uint256(flags) << FLAGS_AT | uint256(bitmap) << CATEGORIES_AT;
    return Standing.wrap(Standing.unwrap(self) & kept | next | terms);
}
