// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IERC4906} from "@openzeppelin/contracts/interfaces/IERC4906.sol";
import {ERC721} from "@openzeppelin/contracts/token/ERC721/ERC721.sol";
import {IERC721} from "@openzeppelin/contracts/token/ERC721/IERC721.sol";
import {EIP712} from "@openzeppelin/contracts/utils/cryptography/EIP712.sol";
import {IERC165} from "@openzeppelin/contracts/utils/introspection/IERC165.sol";
import {Managed} from "./access/Managed.sol";
import {Roles} from "./access/Roles.sol";
import {IAgentAccount} from "./interfaces/IAgentAccount.sol";
import {IERC6551Registry} from "./interfaces/IERC6551.sol";
import {IAgentNFT} from "./interfaces/IAgentNFT.sol";
import {IERC8004Identity} from "./interfaces/IERC8004Identity.sol";
import {ISettlement} from "./interfaces/ISettlement.sol";
import {ISpendPolicy} from "./interfaces/ISpendPolicy.sol";
import {OwnerSignatures} from "./libraries/OwnerSignatures.sol";

/**
 * @title The agents
 * @notice A token and its token-bound account are the counterparty of record, never the owner. Each is
 * minted once per paid checkout, with its account, its first mandate and its first session key.
 *
 * Also an identity registry of ERC-8004, except that agents are minted here and not registered by anyone who likes,
 * and that an agent's wallet is its account: it cannot be set, and a sale does not clear it.
 *
 * An agent stays with the policy that it was minted under until its current owner binds it to another one.
 *
 * Nobody puts an agent into the account of another agent but whoever owns that one, and the deal in which it buys.
 */
contract AgentNFT is IAgentNFT, IERC8004Identity, IERC4906, ERC721, EIP712, Managed {
    /// @notice What was bought.
    enum Tier {
        NONE,
        AGENT,
        EXECUTOR
    }

    /// @notice What a paid checkout has minted.
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
        uint8 bindings; // how often its owners have bound it to another policy
    }

    bytes32 private constant BIND_POLICY_TYPEHASH =
        keccak256("BindPolicy(uint256 agentId,address policy,uint32 epoch,uint256 nonce,uint48 deadline)");
    /// @notice The canonical registry, at the same address on every chain.
    IERC6551Registry public constant REGISTRY = IERC6551Registry(0x000000006551c19487814612e58FE06813775758);
    /// @notice The salt of the canonical accounts.
    bytes32 public constant SALT = 0;
    /// @dev Agents that own agents are followed so far before a transfer is refused as unprovable.
    uint256 private constant MAX_DEPTH = 8;
    /// @dev What the foreign tokens above a receiver may burn together: their code is the receiver's choice, and others pay.
    uint256 private constant FOREIGN_GAS = 50_000;
    /// @dev An ERC-6551 proxy: 45 bytes of ERC-1167, then salt, chain, contract and token id.
    uint256 private constant PROXY_LENGTH = 173;
    /// @dev The metadata key of ERC-8004 that is the account, whatever an owner would have it say.
    string private constant WALLET_KEY = "agentWallet";

    /// @notice The code of the accounts.
    address public immutable ACCOUNT_IMPLEMENTATION;
    /// @notice What every agent is minted under.
    ISpendPolicy public immutable POLICY;

    mapping(uint256 agentId => Agent) private _agents;
    /// @dev Of agents that were bound since.
    mapping(uint256 agentId => ISpendPolicy) private _policies;
    /// @notice The policies that owners may bind their agents to.
    mapping(ISpendPolicy policy => bool) public admitted;
    /// @notice What the metadata URI of an agent begins with whose owner has set no other; the agent's id follows.
    string public baseURI;
    mapping(uint256 agentId => string) private _uris;
    mapping(uint256 agentId => mapping(string key => bytes)) private _metadata;

    /// @notice An agent was minted for a payment.
    event AgentMinted(
        uint256 indexed agentId, address indexed account, address indexed owner, Tier tier, bytes32 paymentRef
    );
    /// @notice An agent was minted or changed hands: keys of earlier epochs have ended.
    event EpochRaised(uint256 indexed agentId, uint32 epoch);
    /// @notice Owners may bind their agents to this policy.
    event PolicyAdmitted(address indexed policy);
    /// @notice An owner bound an agent to another policy.
    event PolicyBound(uint256 indexed agentId, address indexed policy, address indexed former);

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
    /// @dev Neither an owner of the account moves the agent there, nor a deal in which the account buys it: an account
    /// that holds agents is not sold, so that anybody's gift would keep it from being sold.
    error AgentNotAsked(uint256 agentId, address account);
    /// @dev Only the agent's current owner binds it to another policy.
    error NotAgentOwner(uint256 agentId, address caller);
    /// @dev The platform's admin has not named this policy.
    error PolicyNotAdmitted(address policy);
    /// @dev The signature is not the current owner's over this binding, this epoch and this nonce.
    error BadBindingSignature(uint256 agentId);
    /// @dev The owner's signature came after its deadline.
    error BindingExpired(uint48 deadline);

    /// @param authority the platform's manager
    /// @param accountImplementation the code of the agents' accounts
    /// @param policy what agents are minted under
    constructor(address authority, address accountImplementation, ISpendPolicy policy)
        ERC721("Safe Handshake Agent", "AGENT")
        EIP712("SafeHandshakeAgents", "1")
        Managed(authority)
    {
        ACCOUNT_IMPLEMENTATION = accountImplementation;
        POLICY = policy;
    }

    /// @notice Mints an agent with account, mandate and key in one transaction; a payment is taken once. Only the minter.
    /// @param order what was paid for
    /// @return id the agent
    /// @return account its account
    function mint(MintOrder calldata order) external onlyRole(Roles.MINTER) returns (uint256 id, address account) {
        if (order.tier == Tier.NONE) revert TierMissing();
        if (order.paymentRef == 0) revert PaymentMissing();
        id = idOf(order.paymentRef);
        if (_ownerOf(id) != address(0)) revert PaymentAlreadyUsed(order.paymentRef, id);
        account = REGISTRY.createAccount(ACCOUNT_IMPLEMENTATION, SALT, block.chainid, address(this), id);
        _agents[id] = Agent(account, 1, order.tier, uint48(block.timestamp), 0);
        // No receiver's callback: a buyer can neither block nor re-enter a mint.
        _mint(order.to, id);
        if (bytes(order.uri).length != 0) _uris[id] = order.uri;
        emit Registered(id, tokenURI(id), order.to);
        emit MetadataSet(id, WALLET_KEY, WALLET_KEY, abi.encodePacked(account));
        POLICY.initialise(
            id, account, order.terms, order.caps, order.allow, order.deny, order.key, order.keyValidUntil
        );
        emit AgentMinted(id, account, order.to, order.tier, order.paymentRef);
    }

    /// @notice Sets where the metadata of all agents is served whose owners have set no other place. Only the minter.
    /// @param uri what the URIs begin with
    function setBaseURI(string calldata uri) external onlyRole(Roles.MINTER) {
        baseURI = uri;
        emit BatchMetadataUpdate(0, type(uint256).max);
    }

    /// @notice Names a policy that owners may bind their agents to. Only the admin. It binds no agent.
    /// @param policy the policy, which serves this token
    function admitPolicy(ISpendPolicy policy) external onlyRole(Roles.ADMIN) {
        if (address(policy).code.length == 0) revert PolicyNotAdmitted(address(policy));
        admitted[policy] = true;
        emit PolicyAdmitted(address(policy));
    }

    /// @notice Binds an agent to another policy. Only its current owner. What was spent goes on counting there; mandate,
    /// session keys, listings and booked payments end, and the owner sets and grants them anew.
    /// @param agentId the agent
    /// @param to an admitted policy that the agent was never bound to
    function bindPolicy(uint256 agentId, ISpendPolicy to) external {
        if (ownerOf(agentId) != msg.sender) revert NotAgentOwner(agentId, msg.sender);
        _bindPolicy(agentId, to);
    }

    /// @notice {bindPolicy} by the owner's EIP-712 signature (or ERC-1271), sent by anyone.
    /// @param agentId the agent
    /// @param to an admitted policy that the agent was never bound to
    /// @param deadline unix seconds
    /// @param signature over the agent, the policy, the agent's epoch, {bindingsOf} and the deadline
    function bindPolicyBySig(uint256 agentId, ISpendPolicy to, uint48 deadline, bytes calldata signature) external {
        if (block.timestamp > deadline) revert BindingExpired(deadline);
        Agent storage agent = _agents[agentId];
        bytes32 content = keccak256(
            abi.encode(BIND_POLICY_TYPEHASH, agentId, address(to), agent.epoch, agent.bindings, deadline)
        );
        if (!OwnerSignatures.isBy(ownerOf(agentId), _hashTypedDataV4(content), signature)) {
            revert BadBindingSignature(agentId);
        }
        _bindPolicy(agentId, to);
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
    function policyOf(uint256 agentId) public view returns (ISpendPolicy) {
        return _agents[agentId].bindings == 0 ? POLICY : _policies[agentId];
    }

    /// @notice How often the owners of an agent have bound it to another policy: the nonce of the next binding.
    /// @param agentId the agent
    /// @return zero for an agent that stays where it was minted
    function bindingsOf(uint256 agentId) external view returns (uint256) {
        return _agents[agentId].bindings;
    }

    /// @notice The agent that a payment minted; zero when it has not.
    /// @param paymentRef the checkout's
    /// @return id the agent
    function agentByPayment(bytes32 paymentRef) external view returns (uint256 id) {
        id = idOf(paymentRef);
        if (_ownerOf(id) == address(0)) return 0;
    }

    /// @notice What was bought: AGENT or EXECUTOR; NONE for an agent that was never minted.
    /// @param agentId the agent
    /// @return the tier
    function tierOf(uint256 agentId) external view returns (Tier) {
        return _agents[agentId].tier;
    }

    /// @notice When the agent was minted, unix seconds.
    /// @param agentId the agent
    /// @return zero for an agent that was never minted
    function mintedAt(uint256 agentId) external view returns (uint48) {
        return _agents[agentId].mintedAt;
    }

    /// @notice The number of the agent that a payment mints.
    /// @dev From the payment itself, so that nothing else need be kept to mint it once. 53 bits: exact as a number in
    /// JSON. Two payments with one number are as good as impossible, and the second is refused, not confused.
    /// @param paymentRef the checkout's, chosen by the minter
    /// @return below 2^53
    function idOf(bytes32 paymentRef) public pure returns (uint256) {
        return uint256(keccak256(abi.encode(paymentRef))) >> 203;
    }

    /// @inheritdoc IAgentNFT
    function ownerOf(uint256 agentId) public view override(ERC721, IERC721, IAgentNFT) returns (address) {
        return super.ownerOf(agentId);
    }

    /// @notice What the owner has set, else a place under {baseURI}.
    /// @param agentId the agent
    /// @return uri of its registration file
    function tokenURI(uint256 agentId) public view override returns (string memory uri) {
        uri = _uris[agentId];
        if (bytes(uri).length == 0) return super.tokenURI(agentId);
    }

    /// @inheritdoc IERC165
    function supportsInterface(bytes4 interfaceId) public view override(ERC721, IERC165) returns (bool) {
        // ERC-4906 has no functions of its own: its number is fixed by the standard.
        return interfaceId == bytes4(0x49064906) || super.supportsInterface(interfaceId);
    }

    /// @dev Every mint and transfer, also one to the same owner, raises the epoch and so ends the session keys.
    function _update(address to, uint256 agentId, address auth) internal override returns (address from) {
        _checkReceiver(agentId, to);
        from = super._update(to, agentId, auth);
        if (from == address(0)) {
            emit EpochRaised(agentId, 1);
            return from;
        }
        Agent storage agent = _agents[agentId];
        uint32 epoch = ++agent.epoch;
        policyOf(agentId).beginEpoch(agentId, agent.account, epoch);
        emit EpochRaised(agentId, epoch);
        // Its keys have ended, which its metadata shows.
        emit MetadataUpdate(agentId);
    }

    function _baseURI() internal view override returns (string memory) {
        return baseURI;
    }

    /// @dev The new policy takes over with the old one's word on what was spent; then the account turns to it.
    function _bindPolicy(uint256 agentId, ISpendPolicy to) private {
        if (!admitted[to]) revert PolicyNotAdmitted(address(to));
        ISpendPolicy former = policyOf(agentId);
        Agent storage agent = _agents[agentId];
        ++agent.bindings;
        _policies[agentId] = to;
        to.adopt(agentId, agent.account, agent.epoch, former);
        IAgentAccount(agent.account).bindPolicy(to);
        emit PolicyBound(agentId, address(to), address(former));
    }

    function _isWalletKey(string calldata key) private pure returns (bool) {
        return keccak256(bytes(key)) == keccak256(bytes(WALLET_KEY));
    }

    /**
     * @dev The agent goes where it does not come to own itself, and into an account where it is asked for. What the
     * minter mints was paid for, and whom it is for is the minter's to see to.
     */
    function _checkReceiver(uint256 agentId, address to) private view {
        address from = _ownerOf(agentId);
        if (_climb(agentId, from, to) || from == address(0)) return;
        (bool bound,, uint256 host) = _boundToken(to);
        if (!bound || _agents[host].account != to) return;
        address settlement = policyOf(host).settlementOf(host).settlement;
        if (ISettlement(settlement).receiver() == to) return;
        // An owner moves it from one of their agents to another.
        if (!_climb(agentId, _actor(), to)) revert AgentNotAsked(agentId, to);
    }

    /**
     * @dev At whose word the caller acts: whoever stands above it by canonical accounts alone. What others' accounts do, their
     * own code decides, which need not ask whoever holds their token.
     */
    function _actor() private view returns (address actor) {
        actor = msg.sender;
        for (uint256 depth; depth < MAX_DEPTH; ++depth) {
            (bool bound,, uint256 tokenId) = _boundToken(actor);
            if (!bound || _agents[tokenId].account != actor) return actor;
            actor = _ownerOf(tokenId);
        }
    }

    /**
     * @dev Follows the token-bound accounts, of any implementation, from `to` upwards; refuses to meet this agent. An
     * account that is not created yet has no code to read: an owner who sends an agent to such an account of the agent
     * itself, under another salt or implementation than the canonical one, locks it for good, as by sending it to any
     * address without a key.
     *
     * A foreign token that does not answer ends the way up; one that takes more than {FOREIGN_GAS} is refused, since what it
     * would have said is unknown, and a ring would go through by that.
     * @return own whether `from` is `to` or one of those above it
     */
    function _climb(uint256 agentId, address from, address to) private view returns (bool own) {
        address holder = to;
        uint256 left = FOREIGN_GAS;
        for (uint256 depth; depth < MAX_DEPTH; ++depth) {
            if (holder == from) own = true;
            (bool bound, address tokenContract, uint256 tokenId) = _boundToken(holder);
            if (!bound) return own;
            if (tokenContract == address(this) && tokenId == agentId) revert OwnershipCycle(agentId, to);
            if (tokenContract == address(this)) {
                holder = _ownerOf(tokenId);
                continue;
            }
            uint256 before = gasleft();
            (bool read, address owner) = _foreignOwner(tokenContract, tokenId, left);
            uint256 used = before - gasleft();
            if (used >= left) break;
            if (!read) return own;
            left -= used;
            holder = owner;
        }
        revert OwnershipCycle(agentId, to);
    }

    /// @dev Takes one word of the answer, however long it is. What is short of gas itself cannot end what called it.
    function _foreignOwner(address tokenContract, uint256 tokenId, uint256 limit)
        private
        view
        returns (bool read, address owner)
    {
        bytes memory question = abi.encodeCall(IERC721.ownerOf, (tokenId));
        assembly ("memory-safe") {
            read := staticcall(limit, tokenContract, add(question, 0x20), mload(question), 0x00, 0x20)
            read := and(read, eq(returndatasize(), 0x20))
            owner := and(mload(0x00), 0xffffffffffffffffffffffffffffffffffffffff)
        }
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
        // An agent's own account is known here; of any other the registry tells.
        if (tokenContract == address(this) && _agents[tokenId].account == holder) return (true, tokenContract, tokenId);
        bound = chainId == block.chainid
            && REGISTRY.account(implementation, salt, chainId, tokenContract, tokenId) == holder;
    }
}
