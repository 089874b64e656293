// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {EIP712} from "@openzeppelin/contracts/utils/cryptography/EIP712.sol";
import {SignatureChecker} from "@openzeppelin/contracts/utils/cryptography/SignatureChecker.sol";
import {IAgentNFT} from "./interfaces/IAgentNFT.sol";
import {ISpendPolicy} from "./interfaces/ISpendPolicy.sol";
import {SpendHistory} from "./libraries/SpendHistory.sol";

/**
 * @dev Decides what an agent's session key may do, and books it. It only vetoes: it holds no money and moves none,
 * and the owner's door of an account never asks it.
 *
 * The first mandate and key come with the mint. Later ones come from the current owner's own transaction or EIP-712
 * signature. Every transfer of the agent ends every key. A new mandate replaces caps and lists and starts a new
 * total; what was spent in the last day, the last week and this month still counts.
 */
contract SpendPolicy is ISpendPolicy, EIP712 {
    using SpendHistory for SpendHistory.History;

    struct Mandate {
        bytes32 mandateHash;
        uint48 validAfter;
        uint48 expiry;
        uint32 version; // 0: no mandate was ever set
        uint8 sides;
        bool allowlistOnly;
        bool pausedByOwner;
        bool pausedByGuardian;
        uint64 categories;
    }

    struct Cap {
        uint128 perDeal;
        uint128 minPrice;
        uint128 dayCap;
        uint128 weekCap;
        uint128 monthCap;
        uint128 totalCap;
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

    uint8 private constant BUY = 1;
    uint8 private constant SELL = 2;
    /// @dev What {CategoryNotAllowed} reports for a payment outside any deal, which has no category.
    uint8 public constant NO_CATEGORY = type(uint8).max;

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
    bytes32 private constant GRANT_KEY_TYPEHASH = keccak256(
        "GrantKey(uint256 agentId,address key,uint48 validUntil,uint32 epoch,uint256 nonce,uint48 deadline)"
    );
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
    mapping(uint256 agentId => Mandate) private _mandates;
    mapping(uint256 agentId => mapping(uint32 version => mapping(address token => Cap))) private _caps;
    mapping(uint256 agentId => mapping(uint32 version => mapping(address party => Listing))) private _listings;
    mapping(uint256 agentId => mapping(address token => SpendHistory.History)) private _histories;

    event Bound(address indexed nft, address indexed settlement);
    event MandateSet(uint256 indexed agentId, uint32 indexed version, bytes32 indexed mandateHash, Terms terms);
    event CapSet(uint256 indexed agentId, uint32 indexed version, address indexed token, TokenCap cap);
    event PartyListed(uint256 indexed agentId, uint32 indexed version, address indexed party, Listing listing);
    event KeyGranted(uint256 indexed agentId, address indexed key, uint32 epoch, uint48 validUntil);
    event KeyRevoked(uint256 indexed agentId, address indexed key, address indexed by);
    event PausedSet(uint256 indexed agentId, bool paused, bool byGuardian);
    event Booked(
        uint256 indexed agentId,
        address indexed token,
        address indexed to,
        address key,
        uint256 amount,
        uint256 cumulative,
        uint32 version
    );

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
    /// @dev Only the agent's own account may book.
    error NotAccount(uint256 agentId, address caller);
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
    /// @dev The zero address cannot be a session key.
    error InvalidKey();
    /// @dev The key was never granted, was revoked, has run out, or the agent has changed hands since.
    error KeyNotLive(uint256 agentId, address key);
    /// @dev The owner or the guardian has paused the agent.
    error AgentPaused(uint256 agentId);
    /// @dev No mandate, or not its time.
    error MandateNotActive(uint256 agentId, uint48 validAfter, uint48 expiry);
    /// @dev The mandate does not let the agent take this side.
    error SideNotAllowed(uint256 agentId, uint8 side);
    /// @dev The counterparty is denied, not on the list, or the agent itself.
    error CounterpartyNotAllowed(uint256 agentId, address party);
    /// @dev The mandate does not cover the category; {NO_CATEGORY} for a payment outside any deal.
    error CategoryNotAllowed(uint256 agentId, uint8 category);
    /// @dev The mandate does not name the token.
    error TokenNotAllowed(uint256 agentId, address token);
    /// @dev A payment must move something.
    error ZeroAmount();
    /// @dev The sale is below the owner's floor.
    error BelowMinPrice(uint256 agentId, address token, uint256 price, uint256 minPrice);
    /// @dev More than one deal may carry.
    error PerDealCapExceeded(uint256 agentId, address token, uint256 amount, uint256 cap);
    /// @dev More than is left of the last 24 hours' cap.
    error DayCapExceeded(uint256 agentId, address token, uint256 amount, uint256 spent, uint256 cap);
    /// @dev More than is left of the last 7 days' cap.
    error WeekCapExceeded(uint256 agentId, address token, uint256 amount, uint256 spent, uint256 cap);
    /// @dev More than is left of this UTC month's cap.
    error MonthCapExceeded(uint256 agentId, address token, uint256 amount, uint256 spent, uint256 cap);
    /// @dev More than is left of the mandate's total.
    error TotalCapExceeded(uint256 agentId, address token, uint256 amount, uint256 spent, uint256 cap);

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
        if (_mandates[agentId].version != 0) revert AlreadyInitialised(agentId);
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

    // The accounts

    /// @inheritdoc ISpendPolicy
    function bookPayment(uint256 agentId, address key, address token, address to, uint256 amount)
        external
        returns (uint64 stamp)
    {
        (Mandate memory mandate, uint32 epoch) = _checkActing(agentId, key, BUY);
        Listing listing = _checkParty(agentId, mandate, to);
        // Such a payment has no category. Where the mandate names categories it goes only to those named as allowed.
        if (mandate.categories != 0 && listing != Listing.ALLOWED) revert CategoryNotAllowed(agentId, NO_CATEGORY);
        _book(agentId, mandate.version, key, token, to, amount);
        return _stamp(epoch, mandate.version);
    }

    /// @inheritdoc ISpendPolicy
    function bookPurchase(
        uint256 agentId,
        address key,
        address token,
        address seller,
        uint256 price,
        uint8 category
    ) external {
        (Mandate memory mandate,) = _checkActing(agentId, key, BUY);
        _checkParty(agentId, mandate, seller);
        _checkCategory(agentId, mandate, category);
        _book(agentId, mandate.version, key, token, seller, price);
    }

    /// @inheritdoc ISpendPolicy
    function checkSale(uint256 agentId, address key, address token, address buyer, uint256 price, uint8 category)
        external
        view
    {
        (Mandate memory mandate,) = _checkActing(agentId, key, SELL);
        _checkParty(agentId, mandate, buyer);
        _checkCategory(agentId, mandate, category);
        Cap storage cap = _caps[agentId][mandate.version][token];
        _checkDeal(agentId, token, price, cap.perDeal);
        if (price < cap.minPrice) revert BelowMinPrice(agentId, token, price, cap.minPrice);
    }

    // Reading

    /// @dev The mandate in force.
    function mandates(uint256 agentId) external view returns (Mandate memory) {
        return _mandates[agentId];
    }

    /// @dev The caps in force for a token; all zero when it is not allowed.
    function capOf(uint256 agentId, address token) external view returns (TokenCap memory) {
        Cap storage cap = _caps[agentId][_mandates[agentId].version][token];
        return TokenCap(token, cap.perDeal, cap.dayCap, cap.weekCap, cap.monthCap, cap.totalCap, cap.minPrice);
    }

    /// @dev How the mandate in force lists a counterparty.
    function listingOf(uint256 agentId, address party) external view returns (Listing) {
        return _listings[agentId][_mandates[agentId].version][party];
    }

    /// @dev Everything the session keys of an agent ever spent of a token.
    function spentTotal(uint256 agentId, address token) external view returns (uint256) {
        return _histories[agentId][token].cumulative;
    }

    /// @dev What is left of every limit, in one read. `spendable` is zero while nothing may be spent at all.
    function remaining(uint256 agentId, address token) external view returns (Limits memory left) {
        Mandate storage mandate = _mandates[agentId];
        Cap memory cap = _caps[agentId][mandate.version][token];
        SpendHistory.Spent memory spent = _histories[agentId][token].spent(true, true);
        left.perDeal = cap.perDeal;
        left.day = _left(cap.dayCap, spent.day);
        left.week = _left(cap.weekCap, spent.week);
        left.month = _left(cap.monthCap, spent.month);
        left.total = _left(cap.totalCap, spent.total);
        if (_isActive(mandate) && mandate.sides & BUY != 0) {
            left.spendable = _min(_min(_min(left.perDeal, left.day), _min(left.week, left.month)), left.total);
        }
    }

    /// @inheritdoc ISpendPolicy
    function keyIsLive(uint256 agentId, address key) external view returns (bool) {
        return _isActive(_mandates[agentId]) && _isGranted(agentId, key, nft.epochOf(agentId));
    }

    /// @inheritdoc ISpendPolicy
    function stampOf(uint256 agentId) external view returns (uint64) {
        return _stamp(nft.epochOf(agentId), _mandates[agentId].version);
    }

    // Deciding

    /// @dev Caller, pause, key, time and side. Returns what the rest of the decision needs.
    function _checkActing(uint256 agentId, address key, uint8 side)
        private
        view
        returns (Mandate memory mandate, uint32 epoch)
    {
        address account;
        (account, epoch) = nft.standingOf(agentId);
        if (account != msg.sender) revert NotAccount(agentId, msg.sender);
        mandate = _mandates[agentId];
        if (mandate.pausedByOwner || mandate.pausedByGuardian) revert AgentPaused(agentId);
        if (!_isGranted(agentId, key, epoch)) revert KeyNotLive(agentId, key);
        if (!_isTimely(mandate.validAfter, mandate.expiry)) {
            revert MandateNotActive(agentId, mandate.validAfter, mandate.expiry);
        }
        if (mandate.sides & side == 0) revert SideNotAllowed(agentId, side);
    }

    function _checkParty(uint256 agentId, Mandate memory mandate, address party)
        private
        view
        returns (Listing listing)
    {
        listing = _listings[agentId][mandate.version][party];
        if (
            party == msg.sender || listing == Listing.DENIED
                || (mandate.allowlistOnly && listing != Listing.ALLOWED)
        ) {
            revert CounterpartyNotAllowed(agentId, party);
        }
    }

    function _checkCategory(uint256 agentId, Mandate memory mandate, uint8 category) private pure {
        if (mandate.categories != 0 && (mandate.categories >> category) & 1 == 0) {
            revert CategoryNotAllowed(agentId, category);
        }
    }

    function _checkDeal(uint256 agentId, address token, uint256 amount, uint256 perDeal) private pure {
        if (perDeal == 0) revert TokenNotAllowed(agentId, token);
        if (amount == 0) revert ZeroAmount();
        if (amount > perDeal) revert PerDealCapExceeded(agentId, token, amount, perDeal);
    }

    /// @dev Holds an amount against every cap and adds it to the history.
    function _book(uint256 agentId, uint32 version, address key, address token, address to, uint256 amount) private {
        Cap memory cap = _caps[agentId][version][token];
        _checkDeal(agentId, token, amount, cap.perDeal);
        SpendHistory.History storage history = _histories[agentId][token];
        SpendHistory.Spent memory spent = history.spent(cap.dayCap != 0, cap.weekCap != 0);
        if (amount > _left(cap.dayCap, spent.day)) {
            revert DayCapExceeded(agentId, token, amount, spent.day, cap.dayCap);
        }
        if (amount > _left(cap.weekCap, spent.week)) {
            revert WeekCapExceeded(agentId, token, amount, spent.week, cap.weekCap);
        }
        if (amount > _left(cap.monthCap, spent.month)) {
            revert MonthCapExceeded(agentId, token, amount, spent.month, cap.monthCap);
        }
        if (amount > _left(cap.totalCap, spent.total)) {
            revert TotalCapExceeded(agentId, token, amount, spent.total, cap.totalCap);
        }
        emit Booked(agentId, token, to, key, amount, history.add(amount, spent), version);
    }

    function _isActive(Mandate storage mandate) private view returns (bool) {
        return !mandate.pausedByOwner && !mandate.pausedByGuardian
            && _isTimely(mandate.validAfter, mandate.expiry);
    }

    function _isTimely(uint48 validAfter, uint48 expiry) private view returns (bool) {
        return validAfter <= block.timestamp && block.timestamp < expiry;
    }

    function _isGranted(uint256 agentId, address key, uint32 epoch) private view returns (bool) {
        Key memory granted = keys[agentId][key];
        return granted.epoch == epoch && epoch != 0 && block.timestamp < granted.validUntil;
    }

    function _stamp(uint32 epoch, uint32 version) private pure returns (uint64) {
        return (uint64(epoch) << 32) | version;
    }

    function _left(uint256 cap, uint256 spent) private pure returns (uint256) {
        if (cap == 0) return type(uint256).max;
        return cap > spent ? cap - spent : 0;
    }

    function _min(uint256 a, uint256 b) private pure returns (uint256) {
        return a < b ? a : b;
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

        Mandate storage mandate = _mandates[agentId];
        // Caps and lists are kept under their version, so those of older mandates cannot be reached any more.
        uint32 version = ++mandate.version;
        mandate.mandateHash = terms.mandateHash;
        mandate.validAfter = terms.validAfter;
        mandate.expiry = terms.expiry;
        mandate.sides = terms.sides;
        mandate.allowlistOnly = terms.allowlistOnly;
        mandate.categories = uint64(terms.categories);
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
        if (cap.perDeal != 0) revert DuplicateToken(given.token);
        cap.perDeal = given.perDeal;
        cap.minPrice = given.minPrice;
        cap.dayCap = given.dayCap;
        cap.weekCap = given.weekCap;
        cap.monthCap = given.monthCap;
        cap.totalCap = given.totalCap;
        _histories[agentId][given.token].beginMandate();
        emit CapSet(agentId, version, given.token, given);
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
        if (byGuardian) _mandates[agentId].pausedByGuardian = paused;
        else _mandates[agentId].pausedByOwner = paused;
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
