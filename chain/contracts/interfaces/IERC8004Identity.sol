// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

/// @dev What ERC-8004 adds to ERC-721 for reading and describing an agent; its registries ask no more.
interface IERC8004Identity {
    /// @dev With every mint.
    event Registered(uint256 indexed agentId, string agentURI, address indexed owner);
    event MetadataSet(
        uint256 indexed agentId, string indexed indexedMetadataKey, string metadataKey, bytes metadataValue
    );
    event URIUpdated(uint256 indexed agentId, string newURI, address indexed updatedBy);

    /// @dev Points to another registration file. Only the owner and whom the owner has approved.
    function setAgentURI(uint256 agentId, string calldata newURI) external;

    /// @dev Notes something about the agent on chain. Only the owner and whom the owner has approved.
    function setMetadata(uint256 agentId, string calldata metadataKey, bytes calldata metadataValue) external;

    /// @dev What was noted under the key; empty when nothing was. `agentWallet` is the wallet's 20 bytes.
    function getMetadata(uint256 agentId, string calldata metadataKey) external view returns (bytes memory);

    /// @dev Where the agent is paid; zero for one that was never minted.
    function getAgentWallet(uint256 agentId) external view returns (address);

    /// @dev Whether the spender owns the agent or acts for its owner. Reverts for one that was never minted.
    function isAuthorizedOrOwner(address spender, uint256 agentId) external view returns (bool);
}
