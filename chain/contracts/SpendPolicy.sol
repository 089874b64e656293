// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {AssetListings} from "./AssetListings.sol";
import {Mandates} from "./Mandates.sol";
import {ISpendPolicy} from "./interfaces/ISpendPolicy.sol";
import {SpendHistory} from "./libraries/SpendHistory.sol";

/**
 * @dev Decides what an agent's session key may do, and books it. It only vetoes: it holds no money and moves none,
 * and the owner's door of an account never asks it.
 *
 * Every transfer of the agent ends every key. A new mandate replaces caps and lists and starts a new total; what was
 * spent in the last day, the last week and this month still counts.
 */
contract SpendPolicy is AssetListings {
    using SpendHistory for SpendHistory.History;

    /// @dev What {CategoryNotAllowed} reports for a payment outside any deal, which has no category.
    uint8 public constant NO_CATEGORY = type(uint8).max;

    event Booked(
        uint256 indexed agentId,
        address indexed token,
        address indexed to,
        address key,
        uint256 amount
    );

    /// @dev Only the agent's own account may book.
    error NotAccount(uint256 agentId, address caller);
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

    constructor(address deployer, address guardian) Mandates(deployer, guardian) {}

    // The accounts

    /// @inheritdoc ISpendPolicy
    function bookPayment(uint256 agentId, address key, address token, address to, uint256 amount)
        external
        returns (uint64 stamp)
    {
        (Standing memory standing, uint32 epoch) = _checkActing(agentId, key, BUY);
        Listing listing = _checkParty(agentId, standing, to);
        // Such a payment has no category. Where the mandate names categories it goes only to those named as allowed.
        if (standing.categories != 0 && listing != Listing.ALLOWED) revert CategoryNotAllowed(agentId, NO_CATEGORY);
        _book(agentId, standing.version, key, token, to, amount);
        return _stamp(epoch, standing.version);
    }

    /// @inheritdoc ISpendPolicy
    function bookPurchase(uint256 agentId, address key, address token, address seller, uint256 price, uint8 category)
        external
    {
        (Standing memory standing,) = _checkActing(agentId, key, BUY);
        _checkParty(agentId, standing, seller);
        _checkCategory(agentId, standing, category);
        _book(agentId, standing.version, key, token, seller, price);
    }

    /// @inheritdoc ISpendPolicy
    function bookSale(uint256 agentId, Sale calldata sale) external {
        (Standing memory standing, uint32 epoch) = _checkActing(agentId, sale.key, SELL);
        _checkParty(agentId, standing, sale.buyer);
        _checkCategory(agentId, standing, sale.category);
        Cap storage cap = _caps[agentId][standing.version][sale.token];
        NearCap memory near = cap.near;
        _checkDeal(agentId, sale.token, sale.price, near.perDeal);
        if (near.hasFar && sale.price < cap.far.minPrice) {
            revert BelowMinPrice(agentId, sale.token, sale.price, cap.far.minPrice);
        }
        _useListing(agentId, epoch, sale.asset, sale.tokenId);
    }

    // Reading

    /// @dev Everything the session keys of an agent ever spent of a token.
    function spentTotal(uint256 agentId, address token) external view returns (uint256) {
        return _histories[agentId][token].head.cumulative;
    }

    /// @dev What is left of every limit, in one read. `spendable` is zero while nothing may be spent at all.
    function remaining(uint256 agentId, address token) external view returns (Limits memory left) {
        Standing storage standing = _standings[agentId];
        Cap memory cap = _caps[agentId][standing.version][token];
        SpendHistory.Spent memory spent = _histories[agentId][token].spent(true, true);
        left.perDeal = cap.near.perDeal;
        left.day = _left(cap.near.dayCap, spent.day);
        left.week = _left(cap.far.weekCap, spent.week);
        left.month = _left(cap.far.monthCap, spent.month);
        left.total = _left(cap.near.totalCap, spent.total);
        if (_isActive(standing) && standing.sides & BUY != 0) {
            left.spendable = _min(_min(_min(left.perDeal, left.day), _min(left.week, left.month)), left.total);
        }
    }

    /// @inheritdoc ISpendPolicy
    function keyIsLive(uint256 agentId, address key) external view returns (bool) {
        return _isActive(_standings[agentId]) && _isGranted(agentId, key, nft.epochOf(agentId));
    }

    /// @inheritdoc ISpendPolicy
    function stampOf(uint256 agentId) external view returns (uint64) {
        return _stamp(nft.epochOf(agentId), _standings[agentId].version);
    }

    // Deciding

    /// @dev Caller, pause, key, time and side. Returns what the rest of the decision needs.
    function _checkActing(uint256 agentId, address key, uint8 side)
        private
        view
        returns (Standing memory standing, uint32 epoch)
    {
        address account;
        (account, epoch) = nft.standingOf(agentId);
        if (account != msg.sender) revert NotAccount(agentId, msg.sender);
        standing = _standings[agentId];
        if (standing.pausedByOwner || standing.pausedByGuardian) revert AgentPaused(agentId);
        if (!_isGranted(agentId, key, epoch)) revert KeyNotLive(agentId, key);
        if (!_isTimely(standing.validAfter, standing.expiry)) {
            revert MandateNotActive(agentId, standing.validAfter, standing.expiry);
        }
        if (standing.sides & side == 0) revert SideNotAllowed(agentId, side);
    }

    function _checkParty(uint256 agentId, Standing memory standing, address party)
        private
        view
        returns (Listing listing)
    {
        if (standing.hasLists) listing = _listings[agentId][standing.version][party];
        if (party == msg.sender || listing == Listing.DENIED || (standing.allowlistOnly && listing != Listing.ALLOWED))
        {
            revert CounterpartyNotAllowed(agentId, party);
        }
    }

    function _checkCategory(uint256 agentId, Standing memory standing, uint8 category) private pure {
        if (standing.categories != 0 && (standing.categories >> category) & 1 == 0) {
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
        Cap storage cap = _caps[agentId][version][token];
        NearCap memory near = cap.near;
        _checkDeal(agentId, token, amount, near.perDeal);
        FarCap memory far;
        if (near.hasFar) far = cap.far;
        SpendHistory.History storage history = _histories[agentId][token];
        SpendHistory.Spent memory spent = history.spent(near.dayCap != 0, far.weekCap != 0);
        if (amount > _left(near.dayCap, spent.day)) {
            revert DayCapExceeded(agentId, token, amount, spent.day, near.dayCap);
        }
        if (amount > _left(far.weekCap, spent.week)) {
            revert WeekCapExceeded(agentId, token, amount, spent.week, far.weekCap);
        }
        if (amount > _left(far.monthCap, spent.month)) {
            revert MonthCapExceeded(agentId, token, amount, spent.month, far.monthCap);
        }
        if (amount > _left(near.totalCap, spent.total)) {
            revert TotalCapExceeded(agentId, token, amount, spent.total, near.totalCap);
        }
        history.add(amount, spent);
        emit Booked(agentId, token, to, key, amount);
    }

    function _isActive(Standing storage standing) private view returns (bool) {
        return !standing.pausedByOwner && !standing.pausedByGuardian && _isTimely(standing.validAfter, standing.expiry);
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
}
