// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {
    AccessControlDefaultAdminRules
} from "@openzeppelin/contracts/access/extensions/AccessControlDefaultAdminRules.sol";
import {ERC721} from "@openzeppelin/contracts/token/ERC721/ERC721.sol";
import {ERC721URIStorage} from "@openzeppelin/contracts/token/ERC721/extensions/ERC721URIStorage.sol";
import {IERC721} from "@openzeppelin/contracts/token/ERC721/IERC721.sol";
import {IERC6551Registry} from "./interfaces/IERC6551.sol";
import {IAgentNFT} from "./interfaces/IAgentNFT.sol";
import {ISpendPolicy} from "./interfaces/ISpendPolicy.sol";

/**
 * @dev The agents. A token and its token-bound account are the counterparty of record, never the owner. Each is
 * minted once per paid checkout, with its account, its first mandate and its first session key.
 */
contract AgentNFT is IAgentNFT, ERC721URIStorage, AccessControlDefaultAdminRules {
    enum Tier {
        NONE,
        AGENT,
        EXECUTOR
    }

    struct MintOrder {
        address to;
        Tier tier;
        bytes32 paymentRef; // of the checkout that paid: mints once
        address key; // the first session key
        uint48 keyValidUntil;
        string uri;
        ISpendPolicy.Terms terms;
        ISpendPolicy.TokenCap[] caps;
        address[] allow;
        address[] deny;
    }

    struct Agent {
        address account;
        uint32 epoch;
        Tier tier;
        uint48 mintedAt;
    }

    bytes32 public constant MINTER_ROLE = keccak256("MINTER_ROLE");
    /// @dev The canonical registry, at the same address on every chain.
    IERC6551Registry public constant REGISTRY = IERC6551Registry(0x000000006551c19487814612e58FE06813775758);
    bytes32 public constant SALT = 0;
    /// @dev Agents that own agents are followed so far before a transfer is refused as unprovable.
    uint256 private constant MAX_DEPTH = 8;
    /// @dev An ERC-6551 proxy: 45 bytes of ERC-1167, then salt, chain, contract and token id.
    uint256 private constant PROXY_LENGTH = 173;

    address public immutable ACCOUNT_IMPLEMENTATION;
    ISpendPolicy public immutable POLICY;

    uint256 public lastId;
    /// @dev The agent a payment minted; zero when it has not.
    mapping(bytes32 paymentRef => uint256) public agentByPayment;
    mapping(uint256 agentId => Agent) private _agents;

    event AgentMinted(
        uint256 indexed agentId, address indexed account, address indexed owner, Tier tier, bytes32 paymentRef
    );
    event EpochRaised(uint256 indexed agentId, uint32 epoch);

    /// @dev A payment mints one agent.
    error PaymentAlreadyUsed(bytes32 paymentRef, uint256 agentId);
    /// @dev A mint names the payment it is for.
    error PaymentMissing();
    /// @dev A mint names its tier.
    error TierMissing();
    /// @dev Only the agent's current owner may do this.
    error NotAgentOwner(uint256 agentId, address caller);
    /// @dev The agent would come to own itself, through however many accounts, or that cannot be ruled out.
    error OwnershipCycle(uint256 agentId, address to);

    constructor(address admin, address minter, address accountImplementation, ISpendPolicy policy)
        ERC721("Safe Handshake Agent", "AGENT")
        AccessControlDefaultAdminRules(1 days, admin)
    {
        ACCOUNT_IMPLEMENTATION = accountImplementation;
        POLICY = policy;
        _grantRole(MINTER_ROLE, minter);
    }

    /// @dev Mints an agent with account, mandate and key in one transaction; a payment is taken once.
    function mint(MintOrder calldata order) external onlyRole(MINTER_ROLE) returns (uint256 id, address account) {
        if (order.tier == Tier.NONE) revert TierMissing();
        if (order.paymentRef == 0) revert PaymentMissing();
        id = agentByPayment[order.paymentRef];
        if (id != 0) revert PaymentAlreadyUsed(order.paymentRef, id);
        id = ++lastId;
        agentByPayment[order.paymentRef] = id;
        account = REGISTRY.createAccount(ACCOUNT_IMPLEMENTATION, SALT, block.chainid, address(this), id);
        _agents[id] = Agent(account, 0, order.tier, uint48(block.timestamp));
        // No receiver's callback: a buyer can neither block nor re-enter a mint.
        _mint(order.to, id);
        if (bytes(order.uri).length != 0) _setTokenURI(id, order.uri);
        POLICY.initialise(id, order.terms, order.caps, order.allow, order.deny, order.key, order.keyValidUntil);
        emit AgentMinted(id, account, order.to, order.tier, order.paymentRef);
    }

    /// @dev The owner points the agent's metadata elsewhere (ERC-4906 tells the readers).
    function setTokenURI(uint256 agentId, string calldata uri) external {
        if (ownerOf(agentId) != msg.sender) revert NotAgentOwner(agentId, msg.sender);
        _setTokenURI(agentId, uri);
    }

    /// @inheritdoc IAgentNFT
    function accountOf(uint256 agentId) external view returns (address) {
        return _agents[agentId].account;
    }

    /// @inheritdoc IAgentNFT
    function epochOf(uint256 agentId) external view returns (uint32) {
        return _agents[agentId].epoch;
    }

    /// @inheritdoc IAgentNFT
    function standingOf(uint256 agentId) external view returns (address account, uint32 epoch) {
        Agent storage agent = _agents[agentId];
        return (agent.account, agent.epoch);
    }

    /// @dev What was bought: AGENT or EXECUTOR; NONE for an agent that was never minted.
    function tierOf(uint256 agentId) external view returns (Tier) {
        return _agents[agentId].tier;
    }

    /// @dev When the agent was minted, unix seconds.
    function mintedAt(uint256 agentId) external view returns (uint48) {
        return _agents[agentId].mintedAt;
    }

    /// @inheritdoc IAgentNFT
    function ownerOf(uint256 agentId) public view override(ERC721, IERC721, IAgentNFT) returns (address) {
        return super.ownerOf(agentId);
    }

    function supportsInterface(bytes4 interfaceId)
        public
        view
        override(ERC721URIStorage, AccessControlDefaultAdminRules)
        returns (bool)
    {
        return super.supportsInterface(interfaceId);
    }

    /// @dev Every mint and transfer, also one to the same owner, raises the epoch and so ends the session keys.
    function _update(address to, uint256 agentId, address auth) internal override returns (address from) {
        _refuseCycle(agentId, to);
        from = super._update(to, agentId, auth);
        emit EpochRaised(agentId, ++_agents[agentId].epoch);
    }

    /// @dev Follows the token-bound accounts, of any implementation, from `to` upwards; refuses to meet this agent.
    function _refuseCycle(uint256 agentId, address to) private view {
        address holder = to;
        for (uint256 depth; depth < MAX_DEPTH; ++depth) {
            (bool bound, address tokenContract, uint256 tokenId) = _boundToken(holder);
            if (!bound) return;
            if (tokenContract == address(this) && tokenId == agentId) revert OwnershipCycle(agentId, to);
            (bool success, bytes memory result) = tokenContract.staticcall(abi.encodeCall(IERC721.ownerOf, (tokenId)));
            if (!success || result.length != 32) return;
            holder = address(uint160(uint256(bytes32(result))));
        }
        revert OwnershipCycle(agentId, to);
    }

    /// @dev The token an account on this chain is bound to, read from its code and proved by the registry's address.
    function _boundToken(address holder) private view returns (bool bound, address tokenContract, uint256 tokenId) {
        if (holder.code.length != PROXY_LENGTH) return (false, address(0), 0);
        bytes memory code = holder.code;
        address implementation;
        bytes32 salt;
        uint256 chainId;
        assembly ("memory-safe") {
            implementation := shr(96, mload(add(code, 0x2a)))
            salt := mload(add(code, 0x4d))
            chainId := mload(add(code, 0x6d))
            tokenContract := mload(add(code, 0x8d))
            tokenId := mload(add(code, 0xad))
        }
        bound = chainId == block.chainid
            && REGISTRY.account(implementation, salt, chainId, tokenContract, tokenId) == holder;
    }
}
