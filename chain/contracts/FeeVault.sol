// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {SafeERC20} from "@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol";
import {Managed} from "./access/Managed.sol";
import {Roles} from "./access/Roles.sol";

/**
 * @title Where the platform's fees lie
 * @notice Deals pay their fee to this contract, by a plain transfer that asks nobody. Whoever holds the treasury's role
 * takes it out, to any address: a treasury that a token's issuer has blocked holds up no deal, and loses no fee.
 * @dev It does nothing else: it calls no contract but the token, and gives nobody an allowance.
 */
contract FeeVault is Managed {
    using SafeERC20 for IERC20;

    /// @notice The treasury took fees out.
    event Withdrawn(address indexed token, address indexed to, uint256 amount, address indexed by);

    /// @param authority the platform's manager
    constructor(address authority) Managed(authority) {}

    /// @notice Takes out all that lies here of a token. Only the treasury.
    /// @param token the ERC-20
    /// @param to who gets it
    /// @return amount how much it was, in the token's smallest unit
    function withdraw(IERC20 token, address to) external onlyRole(Roles.TREASURY) returns (uint256 amount) {
        amount = token.balanceOf(address(this));
        token.safeTransfer(to, amount);
        emit Withdrawn(address(token), to, amount, msg.sender);
    }
}
