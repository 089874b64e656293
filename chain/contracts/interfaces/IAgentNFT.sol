// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {ISpendPolicy} from "./ISpendPolicy.sol";

/// @title What the other contracts ask of the agents' token
interface IAgentNFT {
    /// @notice The wallet that owns the agent. Reverts for an agent that was never minted.
    /// @param agentId the agent
    /// @return the wallet
    function ownerOf(uint256 agentId) external view returns (address);

    /// @notice The agent's canonical account; zero for an agent that was never minted.
    /// @param agentId the agent
    /// @return the account
    function accountOf(uint256 agentId) external view returns (address);

    /// @notice The policy that the agent is bound to.
    /// @param agentId the agent
    /// @return the policy
    function policyOf(uint256 agentId) external view returns (ISpendPolicy);

    /// @notice Raised by the mint and by every transfer.
    /// @param agentId the agent
    /// @return from 1
    function epochOf(uint256 agentId) external view returns (uint32);
}
