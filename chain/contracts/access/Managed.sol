// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IAccessManager} from "@openzeppelin/contracts/access/manager/IAccessManager.sol";

/**
 * @title A contract whose roles are kept by the platform's manager
 * @dev The manager is asked for the caller's role alone, which costs one cold slot of it: OpenZeppelin's AccessManaged
 * also asks which role a function needs, which here stands in the code. A holder whose acts would first have to be
 * scheduled counts as none.
 */
abstract contract Managed {
    /// @notice Keeps the roles.
    IAccessManager public immutable AUTHORITY;

    /// @dev The caller does not hold the role, or not yet.
    error NotInRole(uint64 role, address caller);

    modifier onlyRole(uint64 role) {
        if (!_hasRole(role, msg.sender)) revert NotInRole(role, msg.sender);
        _;
    }

    /// @param authority the platform's manager; it may be made after this contract
    constructor(address authority) {
        AUTHORITY = IAccessManager(authority);
    }

    /// @dev Whether `account` may act in the role now.
    function _hasRole(uint64 role, address account) internal view returns (bool) {
        (bool member, uint32 delay) = AUTHORITY.hasRole(role, account);
        return member && delay == 0;
    }
}
