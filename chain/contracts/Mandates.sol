// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {EIP712} from "@openzeppelin/contracts/utils/cryptography/EIP712.sol";
import {SignatureChecker} from "@openzeppelin/contracts/utils/cryptography/SignatureChecker.sol";
import {IAgentNFT} from "./interfaces/IAgentNFT.sol";
import {ISpendPolicy} from "./interfaces/ISpendPolicy.sol";
import {SpendHistory} from "./libraries/SpendHistory.sol";

/**
 * @dev The owners' half of the policy: mandates, session keys and pauses, and who may set them. The first mandate and
 * key come with the mint. Later ones come from the current owner's own transaction or EIP-712 signature; anyone may
 * send the signature, which counts once, for one agent, one owner and until its deadline.
 */
abstract contract Mandates is ISpendPolicy, EIP712 {
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

    /// @dev All that a decision asks of the terms, in one slot.
    struct Standing {
        uint48 validAfter;
        uint48 expiry;
        uint32 version;
        uint8 sides;
        bool allowlistOnly;
        bool hasLists; // of counterparties: without any they need not be looked up
        bool pausedByOwner;
        bool pausedByGuardian;
        uint64 categories;
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

    uint8 internal constant BUY = 1;
    uint8 internal constant SELL = 2;

    bytes32 private constant TERMS_TYPEHASH = keccak256(
        "Terms(bytes32 mandateHash,uint48 validAfter,uint48 expiry,uint8 sides,bool allowlistOnly,uint256 categories)"
    );
    bytes32 private constant TOKEN_CAP_TYPEHASH = keccak256(
        "TokenCap(address token,uint128 perDeal,uint128 dayCap,uint128 weekCap,uint128 monthCap,uint128 totalCap,uint128 minPrice)"
    );
    bytes32 private constant SET_MANDATE_TYPEHASH = keccak256(
        "SetMandate(uint256 agentId,Terms terms,TokenCap[] caps,address[] allow,address[] deny,uint32 epoch,uint256 nonce,uint48 deadline)"
        "Terms(bytes32 mandateHash,uint48 validAfter,uint48 expiry,uint8 sides,bool allowlistOnly,uint256 categories)"
        "TokenCap(address token,uint128 perDeal,uint128 dayCap,uint128 weekCap,uint128 monthCap,uint128 totalCap,uint128 minPrice)"
    );
    bytes32 private constant GRANT_KEY_TYPEHASH =
        keccak256("GrantKey(uint256 agentId,address key,uint48 validUntil,uint32 epoch,uint256 nonce,uint48 deadline)");
    bytes32 private constant SET_PAUSED_TYPEHASH =
        keccak256("SetPaused(uint256 agentId,bool paused,uint32 epoch,uint256 nonce,uint48 deadline)");

    /// @dev May pause an agent and revoke keys; may never loosen anything an owner set.
    address public immutable GUARDIAN;
    address private immutable DEPLOYER;

    IAgentNFT public nft;
    address public settlement;

    /// @dev Counts the owner's signatures that an agent has used.
    mapping(uint256 agentId => uint256) public nonces;
    mapping(uint256 agentId => mapping(address key => Key)) public keys;
    mapping(uint256 agentId => Standing) internal _standings;
    mapping(uint256 agentId => bytes32) private _mandateHashes;
    mapping(uint256 agentId => mapping(uint32 version => mapping(address token => Cap))) internal _caps;
    mapping(uint256 agentId => mapping(uint32 version => mapping(address party => Listing))) internal _listings;
    mapping(uint256 agentId => mapping(address token => SpendHistory.History)) internal _histories;

    event Bound(address indexed nft, address indexed settlement);
    event MandateSet(uint256 indexed agentId, uint32 indexed version, bytes32 indexed mandateHash, Terms terms);
    event CapSet(uint256 indexed agentId, uint32 indexed version, address indexed token, TokenCap cap);
    event PartyListed(uint256 indexed agentId, uint32 indexed version, address indexed party, Listing listing);
    event KeyGranted(uint256 indexed agentId, address indexed key, uint32 epoch, uint48 validUntil);
    event KeyRevoked(uint256 indexed agentId, address indexed key, address indexed by);
    event PausedSet(uint256 indexed agentId, bool paused, bool byGuardian);
    /// @dev Only the deployer named at construction may bind.
    error NotDeployer(address caller);
    /// @dev The policy serves one agents' token and one settlement, for good.
    error AlreadyBound();
    /// @dev What is bound must be a contract.
    error NotAContract(address target);
    /// @dev Only the agents' token may set first terms.
    error NotAgentNFT(address caller);
    /// @dev The agent has a mandate already; its owner changes it.
    error AlreadyInitialised(uint256 agentId);
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
    /// @dev A token stands twice among the caps.
    error DuplicateToken(address token);
    /// @dev A cap is kept in 80 bits: more than a million units of a token with 18 decimals.
    error CapTooLarge(address token, uint128 amount);
    /// @dev The zero address cannot be a session key.
    error InvalidKey();

    modifier onlyOwner(uint256 agentId) {
        if (nft.ownerOf(agentId) != msg.sender) revert NotOwner(agentId, msg.sender);
        _;
    }

    /// @param deployer who may call {bind}; an argument because a CREATE2 factory is the sender of the construction
    constructor(address deployer, address guardian) EIP712("SafeHandshakeSpendPolicy", "1") {
        DEPLOYER = deployer;
        GUARDIAN = guardian;
    }

    // Setting up

    /// @dev Closes the cycle of addresses between the contracts, once.
    function bind(IAgentNFT agentNft, address settlementContract) external {
        if (msg.sender != DEPLOYER) revert NotDeployer(msg.sender);
        if (address(nft) != address(0)) revert AlreadyBound();
        if (address(agentNft).code.length == 0) revert NotAContract(address(agentNft));
        if (settlementContract.code.length == 0) revert NotAContract(settlementContract);
        nft = agentNft;
        settlement = settlementContract;
        emit Bound(address(agentNft), settlementContract);
    }

    /// @inheritdoc ISpendPolicy
    function initialise(
        uint256 agentId,
        Terms calldata terms,
        TokenCap[] calldata caps,
        address[] calldata allow,
        address[] calldata deny,
        address key,
        uint48 keyValidUntil
    ) external {
        if (msg.sender != address(nft)) revert NotAgentNFT(msg.sender);
        if (_standings[agentId].version != 0) revert AlreadyInitialised(agentId);
        _setMandate(agentId, terms, caps, allow, deny);
        _grantKey(agentId, key, keyValidUntil);
    }

    // The owner

    /// @dev Replaces the mandate. Windows go on; the total begins anew.
    function setMandate(
        uint256 agentId,
        Terms calldata terms,
        TokenCap[] calldata caps,
        address[] calldata allow,
        address[] calldata deny
    ) external onlyOwner(agentId) {
        _setMandate(agentId, terms, caps, allow, deny);
    }

    /// @dev {setMandate} by the owner's EIP-712 signature, sent by anyone.
    function setMandateBySig(
        uint256 agentId,
        Terms calldata terms,
        TokenCap[] calldata caps,
        address[] calldata allow,
        address[] calldata deny,
        uint48 deadline,
        bytes calldata signature
    ) external {
        bytes memory content = abi.encode(
            SET_MANDATE_TYPEHASH,
            agentId,
            keccak256(abi.encode(TERMS_TYPEHASH, terms)),
            _hashCaps(caps),
            _hashParties(allow),
            _hashParties(deny)
        );
        _useOwnerSignature(agentId, content, deadline, signature);
        _setMandate(agentId, terms, caps, allow, deny);
    }

    /// @dev Lets `key` act within the mandate until `validUntil` or the next transfer.
    function grantKey(uint256 agentId, address key, uint48 validUntil) external onlyOwner(agentId) {
        _grantKey(agentId, key, validUntil);
    }

    /// @dev {grantKey} by the owner's EIP-712 signature, sent by anyone.
    function grantKeyBySig(uint256 agentId, address key, uint48 validUntil, uint48 deadline, bytes calldata signature)
        external
    {
        _useOwnerSignature(agentId, abi.encode(GRANT_KEY_TYPEHASH, agentId, key, validUntil), deadline, signature);
        _grantKey(agentId, key, validUntil);
    }

    /// @dev Ends a key. The owner and the guardian may end any, a key itself.
    function revokeKey(uint256 agentId, address key) external {
        if (msg.sender != key && msg.sender != GUARDIAN && msg.sender != nft.ownerOf(agentId)) {
            revert NotOwner(agentId, msg.sender);
        }
        delete keys[agentId][key];
        emit KeyRevoked(agentId, key, msg.sender);
    }

    /// @dev Stops or resumes the session keys. Owner and guardian each lift only their own pause.
    function setPaused(uint256 agentId, bool paused) external {
        bool byGuardian = msg.sender == GUARDIAN;
        if (!byGuardian && msg.sender != nft.ownerOf(agentId)) revert NotOwner(agentId, msg.sender);
        _setPaused(agentId, paused, byGuardian);
    }

    /// @dev {setPaused} by the owner's EIP-712 signature, sent by anyone.
    function setPausedBySig(uint256 agentId, bool paused, uint48 deadline, bytes calldata signature) external {
        _useOwnerSignature(agentId, abi.encode(SET_PAUSED_TYPEHASH, agentId, paused), deadline, signature);
        _setPaused(agentId, paused, false);
    }

    // Reading

    /// @dev The mandate in force.
    function mandates(uint256 agentId) external view returns (Mandate memory) {
        Standing memory standing = _standings[agentId];
        return Mandate({
            mandateHash: _mandateHashes[agentId],
            validAfter: standing.validAfter,
            expiry: standing.expiry,
            version: standing.version,
            sides: standing.sides,
            allowlistOnly: standing.allowlistOnly,
            pausedByOwner: standing.pausedByOwner,
            pausedByGuardian: standing.pausedByGuardian,
            categories: standing.categories
        });
    }

    /// @dev The caps in force for a token; all zero when it is not allowed.
    function capOf(uint256 agentId, address token) external view returns (TokenCap memory) {
        Cap storage cap = _caps[agentId][_standings[agentId].version][token];
        (NearCap memory near, FarCap memory far) = (cap.near, cap.far);
        return TokenCap(
            token, near.perDeal, near.dayCap, far.weekCap, far.monthCap, near.totalCap, far.minPrice
        );
    }

    /// @dev How the mandate in force lists a counterparty.
    function listingOf(uint256 agentId, address party) external view returns (Listing) {
        return _listings[agentId][_standings[agentId].version][party];
    }

    // Setting

    function _setMandate(
        uint256 agentId,
        Terms calldata terms,
        TokenCap[] calldata caps,
        address[] calldata allow,
        address[] calldata deny
    ) private {
        if (terms.sides == 0 || terms.sides > BUY | SELL) revert InvalidSides(terms.sides);
        if (terms.validAfter >= terms.expiry) revert InvalidTerm(terms.validAfter, terms.expiry);
        if (terms.categories > type(uint64).max) revert InvalidCategories(terms.categories);

        Standing storage standing = _standings[agentId];
        // Caps and lists are kept under their version, so those of older mandates cannot be reached any more.
        uint32 version = ++standing.version;
        _mandateHashes[agentId] = terms.mandateHash;
        standing.validAfter = terms.validAfter;
        standing.expiry = terms.expiry;
        standing.sides = terms.sides;
        standing.allowlistOnly = terms.allowlistOnly;
        standing.hasLists = allow.length + deny.length != 0;
        standing.categories = uint64(terms.categories);
        emit MandateSet(agentId, version, terms.mandateHash, terms);

        for (uint256 i; i < caps.length; ++i) {
            _setCap(agentId, version, caps[i]);
        }
        for (uint256 i; i < allow.length; ++i) {
            _list(agentId, version, allow[i], Listing.ALLOWED);
        }
        for (uint256 i; i < deny.length; ++i) {
            _list(agentId, version, deny[i], Listing.DENIED);
        }
    }

    function _setCap(uint256 agentId, uint32 version, TokenCap calldata given) private {
        Cap storage cap = _caps[agentId][version][given.token];
        if (cap.near.perDeal != 0) revert DuplicateToken(given.token);
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

    function _amount(address token, uint128 amount) private pure returns (uint80) {
        if (amount > type(uint80).max) revert CapTooLarge(token, amount);
        return uint80(amount);
    }

    function _list(uint256 agentId, uint32 version, address party, Listing listing) private {
        _listings[agentId][version][party] = listing;
        emit PartyListed(agentId, version, party, listing);
    }

    function _grantKey(uint256 agentId, address key, uint48 validUntil) private {
        if (key == address(0)) revert InvalidKey();
        uint32 epoch = nft.epochOf(agentId);
        keys[agentId][key] = Key(epoch, validUntil);
        emit KeyGranted(agentId, key, epoch, validUntil);
    }

    function _setPaused(uint256 agentId, bool paused, bool byGuardian) private {
        if (byGuardian) _standings[agentId].pausedByGuardian = paused;
        else _standings[agentId].pausedByOwner = paused;
        emit PausedSet(agentId, paused, byGuardian);
    }

    function _hashCaps(TokenCap[] calldata caps) private pure returns (bytes32) {
        bytes32[] memory hashes = new bytes32[](caps.length);
        for (uint256 i; i < caps.length; ++i) {
            hashes[i] = keccak256(abi.encode(TOKEN_CAP_TYPEHASH, caps[i]));
        }
        return keccak256(abi.encodePacked(hashes));
    }

    function _hashParties(address[] calldata parties) private pure returns (bytes32) {
        return keccak256(abi.encodePacked(parties));
    }

    /// @dev Takes the current owner's signature over `content`, the epoch, the next nonce and the deadline.
    function _useOwnerSignature(uint256 agentId, bytes memory content, uint48 deadline, bytes calldata signature)
        private
    {
        if (block.timestamp > deadline) revert SignatureExpired(deadline);
        bytes memory rest = abi.encode(nft.epochOf(agentId), nonces[agentId]++, deadline);
        bytes32 digest = _hashTypedDataV4(keccak256(bytes.concat(content, rest)));
        if (!SignatureChecker.isValidSignatureNow(nft.ownerOf(agentId), digest, signature)) {
            revert BadOwnerSignature(agentId);
        }
    }
}
