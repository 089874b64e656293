// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

/// @dev What the other contracts ask of the agents' token.
interface IAgentNFT {
    /// @dev The wallet that owns the agent. Reverts for an agent that was never minted.
    function ownerOf(uint256 agentId) external view returns (address);

    /// @dev The agent's canonical account; zero for an agent that was never minted.
    function accountOf(uint256 agentId) external view returns (address);

    /// @dev Raised by the mint and by every transfer.
    function epochOf(uint256 agentId) external view returns (uint32);

    /// @dev Account and epoch in one read.
    function standingOf(uint256 agentId) external view returns (address account, uint32 epoch);
}
