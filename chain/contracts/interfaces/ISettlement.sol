// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

/// @title What the agents' token asks of the settlement
interface ISettlement {
    /// @notice The account that is buying an agent, while that agent is delivered; zero at any other time.
    /// @return the buyer's account
    function receiver() external view returns (address);
}
