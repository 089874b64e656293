// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {
    AccessControlDefaultAdminRules
} from "@openzeppelin/contracts/access/extensions/AccessControlDefaultAdminRules.sol";
import {IERC4906} from "@openzeppelin/contracts/interfaces/IERC4906.sol";
import {ERC721} from "@openzeppelin/contracts/token/ERC721/ERC721.sol";
import {IERC721} from "@openzeppelin/contracts/token/ERC721/IERC721.sol";
import {IERC165} from "@openzeppelin/contracts/utils/introspection/IERC165.sol";
import {IERC6551Registry} from "./interfaces/IERC6551.sol";
import {IAgentNFT} from "./interfaces/IAgentNFT.sol";
import {IERC8004Identity} from "./interfaces/IERC8004Identity.sol";
import {ISpendPolicy} from "./interfaces/ISpendPolicy.sol";

/**
 * @dev The agents. A token and its token-bound account are the counterparty of record, never the owner. Each is
 * minted once per paid checkout, with its account, its first mandate and its first session key.
 *
 * Also an identity registry of ERC-8004, except that agents are minted here and not registered by anyone who likes,
 * and that an agent's wallet is its account: it cannot be set, and a sale does not clear it.
 */
contract AgentNFT is IAgentNFT, IERC8004Identity, IERC4906, ERC721, AccessControlDefaultAdminRules {
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
        string uri; // empty: served under {baseURI}
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
    /// @dev The metadata key of ERC-8004 that is the account, whatever an owner would have it say.
    string private constant WALLET_KEY = "agentWallet";

    address public immutable ACCOUNT_IMPLEMENTATION;
    ISpendPolicy public immutable POLICY;

    uint256 public lastId;
    /// @dev The agent a payment minted; zero when it has not.
    mapping(bytes32 paymentRef => uint256) public agentByPayment;
    mapping(uint256 agentId => Agent) private _agents;
    /// @dev What the metadata URI of an agent begins with whose owner has set no other; the agent's id follows.
    string public baseURI;
    mapping(uint256 agentId => string) private _uris;
    mapping(uint256 agentId => mapping(string key => bytes)) private _metadata;

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
    /// @dev The agent's wallet is its account.
    error WalletIsAccount(uint256 agentId);
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
        if (bytes(order.uri).length != 0) _uris[id] = order.uri;
        emit Registered(id, tokenURI(id), order.to);
        emit MetadataSet(id, WALLET_KEY, WALLET_KEY, abi.encodePacked(account));
        POLICY.initialise(id, order.terms, order.caps, order.allow, order.deny, order.key, order.keyValidUntil);
        emit AgentMinted(id, account, order.to, order.tier, order.paymentRef);
    }

    /// @dev Where the metadata of all agents is served whose owners have set no other place.
    function setBaseURI(string calldata uri) external onlyRole(MINTER_ROLE) {
        baseURI = uri;
        emit BatchMetadataUpdate(0, type(uint256).max);
    }

    /// @inheritdoc IERC8004Identity
    function setAgentURI(uint256 agentId, string calldata newURI) external {
        _checkAuthorized(_ownerOf(agentId), msg.sender, agentId);
        _uris[agentId] = newURI;
        emit URIUpdated(agentId, newURI, msg.sender);
        emit MetadataUpdate(agentId);
    }

    /// @inheritdoc IERC8004Identity
    function setMetadata(uint256 agentId, string calldata metadataKey, bytes calldata metadataValue) external {
        _checkAuthorized(_ownerOf(agentId), msg.sender, agentId);
        if (_isWalletKey(metadataKey)) revert WalletIsAccount(agentId);
        _metadata[agentId][metadataKey] = metadataValue;
        emit MetadataSet(agentId, metadataKey, metadataKey, metadataValue);
    }

    /// @inheritdoc IERC8004Identity
    function getMetadata(uint256 agentId, string calldata metadataKey) external view returns (bytes memory) {
        if (!_isWalletKey(metadataKey)) return _metadata[agentId][metadataKey];
        address account = _agents[agentId].account;
        return account == address(0) ? bytes("") : abi.encodePacked(account);
    }

    /// @inheritdoc IERC8004Identity
    function getAgentWallet(uint256 agentId) external view returns (address) {
        return _agents[agentId].account;
    }

    /**
     * @inheritdoc IERC8004Identity
     * @dev The agent's own account counts: the reputation registry asks this to refuse praise of oneself.
     */
    function isAuthorizedOrOwner(address spender, uint256 agentId) external view returns (bool) {
        return _isAuthorized(ownerOf(agentId), spender, agentId) || spender == _agents[agentId].account;
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

    /// @dev What the owner has set, else a place under {baseURI}.
    function tokenURI(uint256 agentId) public view override returns (string memory uri) {
        uri = _uris[agentId];
        if (bytes(uri).length == 0) return super.tokenURI(agentId);
    }

    function supportsInterface(bytes4 interfaceId)
        public
        view
        override(ERC721, IERC165, AccessControlDefaultAdminRules)
        returns (bool)
    {
        // ERC-4906 has no functions of its own: its number is fixed by the standard.
        return interfaceId == bytes4(0x49064906) || ERC721.supportsInterface(interfaceId)
            || AccessControlDefaultAdminRules.supportsInterface(interfaceId);
    }

    /// @dev Every mint and transfer, also one to the same owner, raises the epoch and so ends the session keys.
    function _update(address to, uint256 agentId, address auth) internal override returns (address from) {
        _refuseCycle(agentId, to);
        from = super._update(to, agentId, auth);
        emit EpochRaised(agentId, ++_agents[agentId].epoch);
        // Its keys have ended, which its metadata shows.
        if (from != address(0)) emit MetadataUpdate(agentId);
    }

    function _baseURI() internal view override returns (string memory) {
        return baseURI;
    }

    function _isWalletKey(string calldata key) private pure returns (bool) {
        return keccak256(bytes(key)) == keccak256(bytes(WALLET_KEY));
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
