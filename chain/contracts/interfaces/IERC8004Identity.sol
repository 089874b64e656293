// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

/// @dev What ERC-8004 adds to ERC-721 for reading and describing an agent; its registries ask no more.
interface IERC8004Identity {
    /// @notice With every mint.
    event Registered(uint256 indexed agentId, string agentURI, address indexed owner);
    event MetadataSet(
        uint256 indexed agentId, string indexed indexedMetadataKey, string metadataKey, bytes metadataValue
    );
    event URIUpdated(uint256 indexed agentId, string newURI, address indexed updatedBy);

    /// @notice Points to another registration file. Only the owner and whom the owner has approved.
    /// @param agentId the agent
    /// @param newURI where its registration file is
    function setAgentURI(uint256 agentId, string calldata newURI) external;

    /// @notice Notes something about the agent on chain. Only the owner and whom the owner has approved.
    /// @param agentId the agent
    /// @param metadataKey the key
    /// @param metadataValue the value
    function setMetadata(uint256 agentId, string calldata metadataKey, bytes calldata metadataValue) external;

    /// @notice What was noted under the key; empty when nothing was. `agentWallet` is the wallet's 20 bytes.
    /// @param agentId the agent
    /// @param metadataKey the key
    /// @return metadataValue the value
    function getMetadata(uint256 agentId, string calldata metadataKey) external view returns (bytes memory);

    /// @notice Where the agent is paid; zero for one that was never minted.
    /// @param agentId the agent
    /// @return the account
    function getAgentWallet(uint256 agentId) external view returns (address);

    /// @notice Whether the spender owns the agent or acts for its owner. Reverts for one that was never minted.
    /// @param spender who acts
    /// @param agentId the agent
    /// @return whether it may act for the agent
    function isAuthorizedOrOwner(address spender, uint256 agentId) external view returns (bool);
}
