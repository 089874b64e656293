// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {Brakes} from "./Brakes.sol";
import {Managed} from "./access/Managed.sol";
import {Roles} from "./access/Roles.sol";
import {IAgentNFT} from "./interfaces/IAgentNFT.sol";
import {ISpendPolicy} from "./interfaces/ISpendPolicy.sol";
import {SpendHistory} from "./libraries/SpendHistory.sol";
import {
    ALLOWLIST_ONLY, BUY, CAME_OVER, HAS_LISTS, PAUSED_BY_OWNER, REBOUND, SELL, Standing, VERSION_AT
} from "./libraries/Standing.sol";
import {OwnerWords} from "./OwnerWords.sol";

/**
 * @title Mandates, session keys and bindings
 * @notice The owners' half of the policy: mandates, session keys and pauses, and who may set them. The first mandate and
 * key come with the mint. Later ones come from the current owner's own transaction or EIP-712 signature; anyone may
 * send the signature, which counts once, for one agent, one owner and until its deadline.
 *
 * An agent deals through the settlement that the policy was made with until its owner binds it to another one. Neither
 * that nor the policy of an account changes without the current owner's word.
 */
abstract contract Mandates is ISpendPolicy, Brakes {
    using SpendHistory for SpendHistory.History;

    /// @dev What {mandates} tells.
    struct Mandate {
        bytes32 mandateHash;
        uint48 validAfter;
        uint48 expiry;
        uint32 version; // 0: no mandate was ever set
        uint8 sides;
        bool allowlistOnly;
        bool pausedByOwner;
        bool pausedByGuardian;
        uint256 categories;
    }

    /// @dev The policy that an agent was bound to before, and when it left it.
    struct Former {
        ISpendPolicy policy;
        uint48 left;
    }

    /// @dev In two slots; the second is read only where something stands in it.
    struct Cap {
        NearCap near;
        FarCap far;
    }

    struct NearCap {
        uint80 perDeal;
        uint80 dayCap;
        uint80 totalCap;
        bool hasFar;
    }

    struct FarCap {
        uint80 weekCap;
        uint80 monthCap;
        uint80 minPrice;
    }

    struct Key {
        uint32 epoch; // of the grant: any transfer since has ended the key
        uint48 validUntil;
    }

    enum Listing {
        NONE,
        ALLOWED,
        DENIED
    }

    bytes32 private constant GRANT_KEY_TYPEHASH =
        keccak256("GrantKey(uint256 agentId,address key,uint48 validUntil,uint32 epoch,uint256 nonce,uint48 deadline)");
    bytes32 private constant SET_PAUSED_TYPEHASH =
        keccak256("SetPaused(uint256 agentId,bool paused,uint32 epoch,uint256 nonce,uint48 deadline)");

    bytes32 private constant BIND_SETTLEMENT_TYPEHASH = keccak256(
        "BindSettlement(uint256 agentId,address settlement,uint32 epoch,uint256 nonce,uint48 deadline)"
    );

    /// @dev Reads what owners sign.
    OwnerWords internal immutable WORDS = new OwnerWords();
    address private immutable DEPLOYER;

    /// @notice The agents' token; zero until the policy is bound.
    IAgentNFT public nft;
    /// @inheritdoc ISpendPolicy
    address public certificates;

    /// @dev Counts the owner's signatures that an agent has used.
    mapping(uint256 agentId => uint256) public nonces;
    mapping(uint256 agentId => mapping(address key => Key)) public keys;
    /// @dev By the agent's account, the only caller that books: whoever has no standing here is no agent's account.
    mapping(address account => mapping(uint256 agentId => Standing)) internal _standings;
    mapping(uint256 agentId => bytes32) private _mandateHashes;
    mapping(uint256 agentId => mapping(uint32 version => mapping(address token => Cap))) internal _caps;
    mapping(uint256 agentId => mapping(uint32 version => mapping(address party => Listing))) internal _listings;
    mapping(uint256 agentId => mapping(address token => SpendHistory.History)) internal _histories;
    /// @notice The settlements that owners may bind their agents to, besides the policy's own.
    mapping(address settlement => bool) public admitted;
    mapping(address account => Binding) internal _bindings;
    mapping(uint256 agentId => Former) internal _formers;

    /// @notice The policy was told whom it serves.
    event Bound(address indexed nft, address indexed settlement, address indexed certificates);
    /// @notice A mandate took the place of the former one.
    event MandateSet(uint256 indexed agentId, uint32 indexed version, bytes32 indexed mandateHash, Terms terms);
    /// @notice A cap of a mandate.
    event CapSet(uint256 indexed agentId, uint32 indexed version, address indexed token, TokenCap cap);
    /// @notice A counterparty that a mandate names.
    event PartyListed(uint256 indexed agentId, uint32 indexed version, address indexed party, Listing listing);
    /// @notice A session key may act.
    event KeyGranted(uint256 indexed agentId, address indexed key, uint32 epoch, uint48 validUntil);
    /// @notice A session key was ended.
    event KeyRevoked(uint256 indexed agentId, address indexed key, address indexed by);
    /// @notice Owners may bind their agents to this settlement.
    event SettlementAdmitted(address indexed settlement);
    /// @notice An owner bound an agent to another settlement.
    event SettlementBound(uint256 indexed agentId, address indexed settlement, uint32 count);
    /// @notice An agent came over from another policy.
    event CameOver(uint256 indexed agentId, address indexed former);
    /// @notice Session keys of an agent were stopped or resumed.
    event PausedSet(uint256 indexed agentId, bool paused, bool byGuardian);

    /// @dev Only the deployer named at construction may bind.
    error NotDeployer(address caller);
    /// @dev The policy serves one agents' token for good, and is made with one settlement.
    error AlreadyBound();
    /// @dev What is bound must be a contract.
    error NotAContract(address target);
    /// @dev Only the agents' token may set first terms.
    error NotAgentNFT(address caller);
    /// @dev The agent was under this policy before: its owner changes the mandate. A policy is not come back to.
    error AlreadyInitialised(uint256 agentId);
    /// @dev An agent has a mandate here only from when it is bound to this policy.
    error NotUnderPolicy(uint256 agentId);
    /// @dev Only the agent's current owner may do this.
    error NotOwner(uint256 agentId, address caller);
    /// @dev The signature is not the current owner's over these terms, this epoch and this nonce.
    error BadOwnerSignature(uint256 agentId);
    /// @dev The owner's signature came after its deadline.
    error SignatureExpired(uint48 deadline);
    /// @dev A mandate must buy, sell or do both.
    error InvalidSides(uint8 sides);
    /// @dev A mandate must end after it begins.
    error InvalidTerm(uint48 validAfter, uint48 expiry);
    /// @dev The category bitmap has 64 bits.
    error InvalidCategories(uint256 categories);
    /// @dev The platform's admin has not named this settlement, or the agent is bound to it.
    error SettlementNotAdmitted(address settlement);
    /// @dev A token stands twice among the caps.
    error DuplicateToken(address token);
    /// @dev A cap is kept in 80 bits: more than a million units of a token with 18 decimals.
    error CapTooLarge(address token, uint128 amount);
    /// @dev The zero address cannot be a session key.
    error InvalidKey();
    /// @dev The key was revoked, or served an owner before this one: what it signed then must not come back to life.
    error KeyUsedBefore(uint256 agentId, address key);

    modifier onlyOwner(uint256 agentId) {
        _requireOwner(agentId);
        _;
    }

    /// @param deployer who may call {bind}; an argument because a CREATE2 factory is the sender of the construction
    /// @param authority the platform's manager
    constructor(address deployer, address authority) Managed(authority) {
        DEPLOYER = deployer;
    }

    // Setting up

    /// @notice Closes the cycle of addresses between the contracts, once.
    /// @param agentNft the agents' token
    /// @param settlementContract the settlement of every agent whose owner binds no other
    /// @param certificatesContract the certificates of real-world lots
    function bind(IAgentNFT agentNft, address settlementContract, address certificatesContract) external {
        if (msg.sender != DEPLOYER) revert NotDeployer(msg.sender);
        if (address(nft) != address(0)) revert AlreadyBound();
        _requireContract(address(agentNft));
        _requireContract(settlementContract);
        _requireContract(certificatesContract);
        nft = agentNft;
        _gate.settlement = settlementContract;
        certificates = certificatesContract;
        emit Bound(address(agentNft), settlementContract, certificatesContract);
    }

    /// @inheritdoc ISpendPolicy
    function initialise(
        uint256 agentId,
        address account,
        Terms calldata terms,
        TokenCap[] calldata caps,
        address[] calldata allow,
        address[] calldata deny,
        address key,
        uint48 keyValidUntil
    ) external {
        if (msg.sender != address(nft)) revert NotAgentNFT(msg.sender);
        if (_standings[account][agentId].version() != 0) revert AlreadyInitialised(agentId);
        _standings[account][agentId] = _standings[account][agentId].withEpoch(1);
        _setMandate(agentId, account, terms, caps, allow, deny);
        _grantKey(agentId, 1, key, keyValidUntil);
    }

    /// @inheritdoc ISpendPolicy
    function beginEpoch(uint256 agentId, address account, uint32 epoch) external {
        if (msg.sender != address(nft)) revert NotAgentNFT(msg.sender);
        Standing standing = _standings[account][agentId];
        // The pause was the former owner's; no key of that owner is left that it could stop.
        if (standing.has(PAUSED_BY_OWNER)) emit PausedSet(agentId, false, false);
        _standings[account][agentId] = standing.withEpoch(epoch).withFlag(PAUSED_BY_OWNER, false);
    }

    /// @inheritdoc ISpendPolicy
    function adopt(uint256 agentId, address account, uint32 epoch, ISpendPolicy former) external {
        if (msg.sender != address(nft)) revert NotAgentNFT(msg.sender);
        if (_standings[account][agentId].version() != 0) revert AlreadyInitialised(agentId);
        // Versions go on, so that no payment booked under the former policy is taken for one of this policy.
        Standing standing = Standing.wrap(uint256(former.stampOf(agentId)) << VERSION_AT).withEpoch(epoch);
        _standings[account][agentId] =
            standing.withFlag(CAME_OVER, true).withGuardianUntil(former.guardianPauseOf(agentId));
        _formers[agentId] = Former(former, uint48(block.timestamp));
        emit CameOver(agentId, address(former));
    }

    /// @notice Names a settlement that owners may bind their agents to. Only the admin. It binds no agent.
    /// @param settlementContract which deals may come from then
    function admitSettlement(address settlementContract) external onlyRole(Roles.ADMIN) {
        _requireContract(settlementContract);
        admitted[settlementContract] = true;
        emit SettlementAdmitted(settlementContract);
    }

    // The owner

    /// @notice Replaces the mandate. Windows go on; the total begins anew.
    /// @param agentId the agent
    /// @param terms the mandate without its amounts
    /// @param caps one entry a token
    /// @param allow counterparties named as allowed
    /// @param deny counterparties named as denied
    function setMandate(
        uint256 agentId,
        Terms calldata terms,
        TokenCap[] calldata caps,
        address[] calldata allow,
        address[] calldata deny
    ) external onlyOwner(agentId) {
        _setMandate(agentId, _accountOf(agentId), terms, caps, allow, deny);
    }

    /// @notice {setMandate} by the owner's EIP-712 signature, sent by anyone.
    /// @param agentId the agent
    /// @param terms the mandate without its amounts
    /// @param caps one entry a token
    /// @param allow counterparties named as allowed
    /// @param deny counterparties named as denied
    /// @param deadline unix seconds after which the signature counts no more
    /// @param signature the owner's, as EIP-712 data or by ERC-1271
    function setMandateBySig(
        uint256 agentId,
        Terms calldata terms,
        TokenCap[] calldata caps,
        address[] calldata allow,
        address[] calldata deny,
        uint48 deadline,
        bytes calldata signature
    ) external {
        // The very same call is there answered with its words.
        _useOwnerSignature(agentId, abi.decode(_ask(msg.data), (bytes)), deadline, signature);
        _setMandate(agentId, _accountOf(agentId), terms, caps, allow, deny);
    }

    /// @notice Lets `key` act within the mandate until `validUntil` or the next transfer.
    /// @param agentId the agent
    /// @param key the session key
    /// @param validUntil unix seconds
    function grantKey(uint256 agentId, address key, uint48 validUntil) external onlyOwner(agentId) {
        _grantKey(agentId, _epochOf(agentId), key, validUntil);
    }

    /// @notice {grantKey} by the owner's EIP-712 signature, sent by anyone.
    /// @param agentId the agent
    /// @param key the session key
    /// @param validUntil unix seconds
    /// @param deadline unix seconds after which the signature counts no more
    /// @param signature the owner's, as EIP-712 data or by ERC-1271
    function grantKeyBySig(uint256 agentId, address key, uint48 validUntil, uint48 deadline, bytes calldata signature)
        external
    {
        _useOwnerSignature(agentId, abi.encode(GRANT_KEY_TYPEHASH, agentId, key, validUntil), deadline, signature);
        _grantKey(agentId, _epochOf(agentId), key, validUntil);
    }

    /// @notice Binds an agent to another settlement: deals of any other are refused from now on, and what its owner
    /// listed for the former one is listed no more. Only the agent's owner.
    /// @param agentId the agent
    /// @param to an admitted settlement, or the policy's own
    function bindSettlement(uint256 agentId, address to) external onlyOwner(agentId) {
        _bindSettlement(agentId, to);
    }

    /// @notice {bindSettlement} by the owner's EIP-712 signature, sent by anyone.
    /// @param agentId the agent
    /// @param to an admitted settlement, or the policy's own
    /// @param deadline unix seconds
    /// @param signature the owner's
    function bindSettlementBySig(uint256 agentId, address to, uint48 deadline, bytes calldata signature) external {
        _useOwnerSignature(agentId, abi.encode(BIND_SETTLEMENT_TYPEHASH, agentId, to), deadline, signature);
        _bindSettlement(agentId, to);
    }

    /// @notice Ends a key. The owner and the guardian may end any, a key itself.
    /// @param agentId the agent
    /// @param key the session key
    function revokeKey(uint256 agentId, address key) external {
        if (msg.sender != key) _requireOwnerOrGuardian(agentId);
        // An epoch stays, or stands here first: a key that was revoked is never granted again, nor one that was refused
        // before its grant was sent.
        Key storage known = keys[agentId][key];
        if (known.epoch == 0) known.epoch = 1;
        known.validUntil = 0;
        emit KeyRevoked(agentId, key, msg.sender);
    }

    /// @notice Stops or resumes the session keys. Owner and guardian each lift only their own pause.
    /// @dev The guardian's lasts {MAX_PAUSE} at most and begins no sooner than {COOL_DOWN} after the last one, of this
    /// agent or of all.
    /// @param agentId the agent
    /// @param paused whether its keys stop
    function setPaused(uint256 agentId, bool paused) external {
        if (_requireOwnerOrGuardian(agentId)) _setPaused(agentId, paused);
        else _setPausedByGuardian(agentId, paused);
    }

    /// @notice {setPaused} by the owner's EIP-712 signature, sent by anyone.
    /// @param agentId the agent
    /// @param paused whether the session keys stop
    /// @param deadline unix seconds after which the signature counts no more
    /// @param signature the owner's, as EIP-712 data or by ERC-1271
    function setPausedBySig(uint256 agentId, bool paused, uint48 deadline, bytes calldata signature) external {
        _useOwnerSignature(agentId, abi.encode(SET_PAUSED_TYPEHASH, agentId, paused), deadline, signature);
        _setPaused(agentId, paused);
    }

    // Reading

    /// @notice What owners sign under (ERC-5267); {OwnerWords} reads it.
    function eip712Domain()
        external
        view
        returns (bytes1, string memory, string memory, uint256, address, bytes32, uint256[] memory)
    {
        return (0x0f, "SafeHandshakeSpendPolicy", "1", block.chainid, address(this), 0, new uint256[](0));
    }

    /// @notice The mandate in force.
    /// @param agentId the agent
    /// @return all zero for an agent that was never under this policy
    function mandates(uint256 agentId) external view returns (Mandate memory) {
        Standing standing = _standingOf(agentId);
        return Mandate({
            mandateHash: _mandateHashes[agentId],
            validAfter: uint48(standing.validAfter()),
            expiry: uint48(standing.expiry()),
            version: standing.version(),
            sides: standing.sides(),
            allowlistOnly: standing.has(ALLOWLIST_ONLY),
            pausedByOwner: standing.has(PAUSED_BY_OWNER),
            pausedByGuardian: block.timestamp < _lastStop(standing),
            categories: standing.categories()
        });
    }

    /// @notice The caps in force for a token; all zero when it is not allowed.
    /// @param agentId the agent
    /// @param token the ERC-20
    /// @return amounts in its smallest unit; zero: no such cap
    function capOf(uint256 agentId, address token) external view returns (TokenCap memory) {
        Cap storage cap = _caps[agentId][_standingOf(agentId).version()][token];
        (NearCap memory near, FarCap memory far) = (cap.near, cap.far);
        return TokenCap(
            token, near.perDeal, near.dayCap, far.weekCap, far.monthCap, near.totalCap, far.minPrice
        );
    }

    /// @inheritdoc ISpendPolicy
    function settlement() external view returns (address) {
        return _gate.settlement;
    }

    /// @inheritdoc ISpendPolicy
    function settlementOf(uint256 agentId) external view returns (Binding memory) {
        return _bindingOf(agentId, _accountOf(agentId));
    }

    /// @inheritdoc ISpendPolicy
    function guardianPauseOf(uint256 agentId) external view returns (uint256) {
        return _lastStop(_standingOf(agentId));
    }

    /// @notice How the mandate in force lists a counterparty.
    /// @param agentId the agent
    /// @param party the counterparty
    /// @return named as allowed, as denied, or not at all
    function listingOf(uint256 agentId, address party) external view returns (Listing) {
        return _listings[agentId][_standingOf(agentId).version()][party];
    }

    // Setting

    function _setMandate(
        uint256 agentId,
        address account,
        Terms calldata terms,
        TokenCap[] calldata caps,
        address[] calldata allow,
        address[] calldata deny
    ) private {
        uint32 version = _setTerms(agentId, account, terms, allow.length + deny.length != 0);
        for (uint256 i; i < caps.length; ++i) {
            _setCap(agentId, version, caps[i]);
        }
        for (uint256 i; i < allow.length; ++i) {
            _listParty(agentId, version, allow[i], Listing.ALLOWED);
        }
        for (uint256 i; i < deny.length; ++i) {
            _listParty(agentId, version, deny[i], Listing.DENIED);
        }
    }

    function _setTerms(uint256 agentId, address account, Terms calldata terms, bool hasLists)
        private
        returns (uint32 version)
    {
        if (terms.sides == 0 || terms.sides > BUY | SELL) revert InvalidSides(terms.sides);
        if (terms.validAfter >= terms.expiry || terms.expiry > type(uint40).max) {
            revert InvalidTerm(terms.validAfter, terms.expiry);
        }
        if (terms.categories > type(uint64).max) revert InvalidCategories(terms.categories);

        uint8 flags = terms.sides;
        if (terms.allowlistOnly) flags |= ALLOWLIST_ONLY;
        if (hasLists) flags |= HAS_LISTS;
        Standing standing = _standings[account][agentId];
        // Set before its agent comes over, a mandate would bar it from this policy, whoever owns it then.
        if (standing.epoch() == 0) revert NotUnderPolicy(agentId);
        // Caps and lists are kept under their version, so those of older mandates cannot be reached any more.
        standing = standing.withMandate(
            uint40(terms.validAfter), uint40(terms.expiry), flags, uint64(terms.categories)
        );
        _standings[account][agentId] = standing;
        _mandateHashes[agentId] = terms.mandateHash;
        version = standing.version();
        emit MandateSet(agentId, version, terms.mandateHash, terms);
    }

    function _setCap(uint256 agentId, uint32 version, TokenCap calldata given) private {
        Cap storage cap = _caps[agentId][version][given.token];
        NearCap memory known = cap.near;
        if (known.hasFar || known.perDeal | known.dayCap | known.totalCap != 0) revert DuplicateToken(given.token);
        bool hasFar = given.weekCap | given.monthCap | given.minPrice != 0;
        cap.near = NearCap({
            perDeal: _amount(given.token, given.perDeal),
            dayCap: _amount(given.token, given.dayCap),
            totalCap: _amount(given.token, given.totalCap),
            hasFar: hasFar
        });
        if (hasFar) {
            cap.far = FarCap({
                weekCap: _amount(given.token, given.weekCap),
                monthCap: _amount(given.token, given.monthCap),
                minPrice: _amount(given.token, given.minPrice)
            });
        }
        _histories[agentId][given.token].beginMandate();
        emit CapSet(agentId, version, given.token, given);
    }

    function _amount(address token, uint128 amount) internal pure returns (uint80) {
        if (amount > type(uint80).max) revert CapTooLarge(token, amount);
        return uint80(amount);
    }

    function _listParty(uint256 agentId, uint32 version, address party, Listing listing) private {
        _listings[agentId][version][party] = listing;
        emit PartyListed(agentId, version, party, listing);
    }

    function _grantKey(uint256 agentId, uint32 epoch, address key, uint48 validUntil) private {
        if (key == address(0)) revert InvalidKey();
        Key memory known = keys[agentId][key];
        if (known.epoch != 0 && (known.epoch != epoch || known.validUntil == 0)) revert KeyUsedBefore(agentId, key);
        keys[agentId][key] = Key(epoch, validUntil);
        emit KeyGranted(agentId, key, epoch, validUntil);
    }

    /// @dev The owner's pause.
    function _setPaused(uint256 agentId, bool paused) internal {
        address account = _accountOf(agentId);
        _standings[account][agentId] = _standings[account][agentId].withFlag(PAUSED_BY_OWNER, paused);
        emit PausedSet(agentId, paused, false);
    }

    function _setPausedByGuardian(uint256 agentId, bool paused) private {
        address account = _accountOf(agentId);
        Standing standing = _standings[account][agentId];
        uint256 until = standing.guardianUntil();
        if (paused) {
            _requireCooled(_lastStop(standing));
            until = block.timestamp + MAX_PAUSE;
        } else if (block.timestamp < until) {
            until = block.timestamp;
        }
        _standings[account][agentId] = standing.withGuardianUntil(until);
        emit PausedSet(agentId, paused, true);
    }

    /// @dev When the guardian's last stop of this agent or of all ends or ended.
    function _lastStop(Standing standing) internal view returns (uint256) {
        (uint256 one, uint256 all) = (standing.guardianUntil(), _gate.pausedUntil);
        return one > all ? one : all;
    }

    function _bindSettlement(uint256 agentId, address to) private {
        address account = _accountOf(agentId);
        Binding memory binding = _bindingOf(agentId, account);
        if (to == binding.settlement || (to != _gate.settlement && !admitted[to])) revert SettlementNotAdmitted(to);
        _bindings[account] = Binding(to, ++binding.count);
        _standings[account][agentId] = _standings[account][agentId].withFlag(REBOUND, true);
        emit SettlementBound(agentId, to, binding.count);
    }

    function _bindingOf(uint256 agentId, address account) internal view returns (Binding memory) {
        if (_standings[account][agentId].has(REBOUND)) return _bindings[account];
        return Binding(_gate.settlement, 0);
    }

    /// @dev Whether the caller is the owner; else the caller is the guardian. What an owner does itself is its newest
    /// word: what it signed before and nobody has sent is void.
    function _requireOwnerOrGuardian(uint256 agentId) internal returns (bool isOwner) {
        // Asked first: it refuses an agent that was never minted.
        isOwner = msg.sender == _ownerOf(agentId);
        if (isOwner) ++nonces[agentId];
        else if (!_hasRole(Roles.GUARDIAN, msg.sender)) revert NotOwner(agentId, msg.sender);
    }

    function _standingOf(uint256 agentId) internal view returns (Standing) {
        return _standings[_accountOf(agentId)][agentId];
    }

    function _requireContract(address target) private view {
        if (target.code.length == 0) revert NotAContract(target);
    }

    /// @dev Asks {OwnerWords}, and refuses with its refusal.
    function _ask(bytes memory call) internal view returns (bytes memory answer) {
        bool read;
        (read, answer) = address(WORDS).staticcall(call);
        if (read) return answer;
        assembly ("memory-safe") {
            revert(add(answer, 0x20), mload(answer))
        }
    }

    /// @dev Voids what the owner signed before, as {_requireOwnerOrGuardian} does.
    function _requireOwner(uint256 agentId) private {
        if (_ownerOf(agentId) != msg.sender) revert NotOwner(agentId, msg.sender);
        ++nonces[agentId];
    }

    // Each of these calls stands once, because the code is at the bound of its size.

    function _ownerOf(uint256 agentId) internal view returns (address) {
        return nft.ownerOf(agentId);
    }

    function _epochOf(uint256 agentId) internal view returns (uint32) {
        return nft.epochOf(agentId);
    }

    function _accountOf(uint256 agentId) internal view returns (address) {
        return nft.accountOf(agentId);
    }

    /// @dev Takes the current owner's signature over `content`, the epoch, the next nonce and the deadline.
    function _useOwnerSignature(uint256 agentId, bytes memory content, uint48 deadline, bytes calldata signature)
        private
    {
        if (block.timestamp > deadline) revert SignatureExpired(deadline);
        bytes memory rest = abi.encode(_epochOf(agentId), nonces[agentId]++, deadline);
        if (!WORDS.isSigned(_ownerOf(agentId), keccak256(bytes.concat(content, rest)), signature)) {
            revert BadOwnerSignature(agentId);
        }
    }
}
