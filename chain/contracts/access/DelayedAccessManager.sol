// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {AccessManager} from "@openzeppelin/contracts/access/manager/AccessManager.sol";
import {Roles} from "./Roles.sol";

/**
 * @title Who may do what for the platform, and how that changes
 * @notice Every role can be given to another key, and every such grant waits: whoever steals the admin's key is seen
 * before a key of theirs may do anything. Taking a role counts at once, also one that still waits.
 *
 * @dev OpenZeppelin's manager lets an admin change how long grants wait, who administers a role and who may cancel for
 * it. Here these are fixed, so that nobody can first shorten the wait and then use it.
 */
contract DelayedAccessManager is AccessManager {
    /// @notice Who holds the roles from the first block on.
    struct Holders {
        address minter;
        address recorder;
        address issuer;
        address guardian;
        address treasury;
    }

    /// @notice How long a grant waits before it counts, in seconds.
    uint32 public immutable GRANT_DELAY;

    /// @dev How long grants wait, and who grants them, never changes.
    error RolesAreFixed(uint64 role);

    /// @param admin who grants and takes roles
    /// @param grantDelay how long every later grant waits, in seconds: two days, less on a chain of one machine
    /// @param first who holds the roles at once
    constructor(address admin, uint32 grantDelay, Holders memory first) AccessManager(admin) {
        GRANT_DELAY = grantDelay;
        _grantRole(Roles.MINTER, first.minter, 0, 0);
        _grantRole(Roles.RECORDER, first.recorder, 0, 0);
        _grantRole(Roles.ISSUER, first.issuer, 0, 0);
        _grantRole(Roles.GUARDIAN, first.guardian, 0, 0);
        _grantRole(Roles.TREASURY, first.treasury, 0, 0);
    }

    /// @notice How long a grant of a role waits: the same for all, the admin's own included.
    /// @return in seconds
    function getRoleGrantDelay(uint64) public view override returns (uint32) {
        return GRANT_DELAY;
    }

    /// @notice Refused: the wait is fixed.
    /// @param roleId the role
    function setGrantDelay(uint64 roleId, uint32) public pure override {
        revert RolesAreFixed(roleId);
    }

    /// @notice Refused: every role is the admin's to grant.
    /// @param roleId the role
    function setRoleAdmin(uint64 roleId, uint64) public pure override {
        revert RolesAreFixed(roleId);
    }

    /// @notice Refused: no role has anyone who cancels for it but the admin.
    /// @param roleId the role
    function setRoleGuardian(uint64 roleId, uint64) public pure override {
        revert RolesAreFixed(roleId);
    }
}
