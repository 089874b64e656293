// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

/// @title The roles of the platform, by their numbers in the {DelayedAccessManager}
library Roles {
    /// @notice Grants and takes every role, names new policies, settlements and vaults.
    uint64 internal constant ADMIN = 0;
    /// @notice Mints agents for paid checkouts.
    uint64 internal constant MINTER = 1;
    /// @notice Anchors batches of records.
    uint64 internal constant RECORDER = 2;
    /// @notice Issues certificates of real-world lots, and marks wrong ones void.
    uint64 internal constant ISSUER = 3;
    /// @notice Stops session keys for a while, takes listings back and ends keys.
    uint64 internal constant GUARDIAN = 4;
    /// @notice Withdraws the platform's fees.
    uint64 internal constant TREASURY = 5;
}
