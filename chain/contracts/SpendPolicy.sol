// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {AssetListings} from "./AssetListings.sol";
import {Mandates} from "./Mandates.sol";
import {ISpendPolicy} from "./interfaces/ISpendPolicy.sol";
import {SpendHistory} from "./libraries/SpendHistory.sol";
import {
    ALLOWLIST_ONLY, BUY, CAME_OVER, HAS_LISTS, PAUSED_BY_OWNER, REBOUND, SELL, Standing
} from "./libraries/Standing.sol";

/**
 * @title What a session key may do
 * @notice Decides what an agent's session key may do, and books it. It only vetoes: it holds no money and moves none,
 * and the owner's door of an account never asks it.
 *
 * What it does not protect from: categories are what the session keys call an asset, since no chain knows what a token
 * is worth or stands for; a denied counterparty may come back under another address; a mandate with a cap a deal and no
 * window and no total lets a stolen key spend that cap again and again until the owner pauses it.
 *
 * Every transfer of the agent ends every key. A new mandate replaces caps and lists and starts a new total; what was
 * spent in the last day, the last week and this month still counts, also under the policy that the agent comes from.
 */
contract SpendPolicy is AssetListings {
    using SpendHistory for SpendHistory.History;

    /// @notice What {CategoryNotAllowed} reports for a payment outside any deal, which has no category.
    uint8 public constant NO_CATEGORY = type(uint8).max;

    /// @dev Only the agent's own account may book.
    error NotAccount(uint256 agentId, address caller);
    /// @dev Only the settlement passes the accounts' settlement door.
    error NotSettlement(address caller);
    /// @dev The key was never granted, was revoked, has run out, or the agent has changed hands since.
    error KeyNotLive(uint256 agentId, address key);
    /// @dev The owner or the guardian has paused this agent.
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

    /// @dev How long what was spent under a former policy may count.
    uint256 private constant LONGEST_WINDOW = 31 days;

    /// @param deployer who may call {bind}
    /// @param authority the platform's manager
    constructor(address deployer, address authority) Mandates(deployer, authority) {}

    // The accounts

    /// @inheritdoc ISpendPolicy
    function bookPayment(uint256 agentId, address key, address token, address to, uint256 amount)
        external
        returns (uint64 stamp)
    {
        Standing standing = _standings[msg.sender][agentId];
        _checkActing(agentId, standing, _gate.pausedUntil, key, BUY);
        Listing listing = _checkParty(agentId, standing, to);
        // Such a payment has no category. Where the mandate names categories it goes only to those named as allowed.
        if (standing.categories() != 0 && listing != Listing.ALLOWED) revert CategoryNotAllowed(agentId, NO_CATEGORY);
        _book(agentId, standing, token, amount);
        return standing.stamp();
    }

    /// @inheritdoc ISpendPolicy
    function bookPurchase(uint256 agentId, address by, Purchase calldata purchase) external {
        (Standing standing,) = _checkDealing(agentId, by, purchase.key, BUY);
        _checkParty(agentId, standing, purchase.seller);
        _checkCategory(agentId, standing, purchase.category);
        _book(agentId, standing, purchase.token, purchase.price);
    }

    /// @inheritdoc ISpendPolicy
    function bookSale(uint256 agentId, address by, Sale calldata sale) external {
        (Standing standing, uint32 binding) = _checkDealing(agentId, by, sale.key, SELL);
        _checkParty(agentId, standing, sale.buyer);
        _checkCategory(agentId, standing, sale.category);
        Cap storage cap = _caps[agentId][standing.version()][sale.token];
        NearCap memory near = cap.near;
        _checkDeal(agentId, sale.token, sale.price, near.perDeal);
        if (near.hasFar && sale.price < cap.far.minPrice) {
            revert BelowMinPrice(agentId, sale.token, sale.price, cap.far.minPrice);
        }
        _useListing(agentId, standing.epoch(), binding, sale);
    }

    // Reading

    /// @notice Everything the session keys of an agent ever spent of a token.
    /// @param agentId the agent
    /// @param token the ERC-20
    /// @return in its smallest unit, under this policy
    function spentTotal(uint256 agentId, address token) external view returns (uint256) {
        return _histories[agentId][token].head.cumulative;
    }

    /// @inheritdoc ISpendPolicy
    function spentOf(uint256 agentId, address token) external view returns (uint256 day, uint256 week, uint256 month) {
        SpendHistory.Spent memory spent = _histories[agentId][token].spent(true, true, true);
        if (_standingOf(agentId).has(CAME_OVER)) _addFormer(agentId, token, spent);
        return (spent.day, spent.week, spent.month);
    }

    /// @notice What is left of every limit, in one read. `spendable` is zero while nothing may be spent at all.
    /// @param agentId the agent
    /// @param token the ERC-20
    /// @return left in its smallest unit
    function remaining(uint256 agentId, address token) external view returns (Limits memory left) {
        Standing standing = _standingOf(agentId);
        Cap memory cap = _caps[agentId][standing.version()][token];
        SpendHistory.Spent memory spent = _histories[agentId][token].spent(true, true, true);
        if (standing.has(CAME_OVER)) _addFormer(agentId, token, spent);
        left.perDeal = cap.near.perDeal;
        left.day = _left(cap.near.dayCap, spent.day);
        left.week = _left(cap.far.weekCap, spent.week);
        left.month = _left(cap.far.monthCap, spent.month);
        left.total = _left(cap.near.totalCap, spent.total);
        if (_isActive(standing) && standing.has(BUY)) {
            left.spendable = _min(_min(_min(left.perDeal, left.day), _min(left.week, left.month)), left.total);
        }
    }

    /// @inheritdoc ISpendPolicy
    function keyIsLive(uint256 agentId, address key) external view returns (bool) {
        Standing standing = _standingOf(agentId);
        return _isActive(standing) && _isGranted(agentId, key, standing.epoch());
    }

    /// @inheritdoc ISpendPolicy
    function stampOf(uint256 agentId) external view returns (uint64) {
        return _standingOf(agentId).stamp();
    }

    // Deciding

    /// @dev The settlement that the account is bound to, and all of {_checkActing}.
    /// @return standing what the rest of the decision needs
    /// @return binding the count of the account's binding
    function _checkDealing(uint256 agentId, address by, address key, uint8 side)
        private
        view
        returns (Standing standing, uint32 binding)
    {
        standing = _standings[msg.sender][agentId];
        (address bound, uint256 pausedUntil) = (_gate.settlement, _gate.pausedUntil);
        if (standing.has(REBOUND)) {
            Binding memory other = _bindings[msg.sender];
            (bound, binding) = (other.settlement, other.count);
        }
        if (by != bound) revert NotSettlement(by);
        _checkActing(agentId, standing, pausedUntil, key, side);
    }

    /// @dev Caller, pauses, key, time and side.
    function _checkActing(uint256 agentId, Standing standing, uint256 pausedUntil, address key, uint8 side)
        private
        view
    {
        if (standing.version() == 0) revert NotAccount(agentId, msg.sender);
        if (block.timestamp < pausedUntil) revert EverythingPaused(pausedUntil);
        if (standing.has(PAUSED_BY_OWNER) || block.timestamp < standing.guardianUntil()) {
            revert AgentPaused(agentId);
        }
        if (!_isGranted(agentId, key, standing.epoch())) revert KeyNotLive(agentId, key);
        if (!_isTimely(standing)) {
            revert MandateNotActive(agentId, uint48(standing.validAfter()), uint48(standing.expiry()));
        }
        if (!standing.has(side)) revert SideNotAllowed(agentId, side);
    }

    function _checkParty(uint256 agentId, Standing standing, address party)
        private
        view
        returns (Listing listing)
    {
        if (standing.has(HAS_LISTS)) listing = _listings[agentId][standing.version()][party];
        bool onlyAllowed = standing.has(ALLOWLIST_ONLY);
        if (party == msg.sender || listing == Listing.DENIED || (onlyAllowed && listing != Listing.ALLOWED)) {
            revert CounterpartyNotAllowed(agentId, party);
        }
    }

    function _checkCategory(uint256 agentId, Standing standing, uint8 category) private pure {
        uint256 categories = standing.categories();
        if (categories != 0 && (categories >> category) & 1 == 0) {
            revert CategoryNotAllowed(agentId, category);
        }
    }

    function _checkDeal(uint256 agentId, address token, uint256 amount, uint256 perDeal) private pure {
        if (perDeal == 0) revert TokenNotAllowed(agentId, token);
        if (amount == 0) revert ZeroAmount();
        if (amount > perDeal) revert PerDealCapExceeded(agentId, token, amount, perDeal);
    }

    /// @dev Holds an amount against every cap and adds it to the history.
    function _book(uint256 agentId, Standing standing, address token, uint256 amount) private {
        Cap storage cap = _caps[agentId][standing.version()][token];
        // A {NearCap} in one word: a copy of the struct would cost every payment more.
        uint256 near;
        assembly ("memory-safe") {
            near := sload(cap.slot)
        }
        _checkDeal(agentId, token, amount, uint80(near));
        (uint256 weekCap, uint256 monthCap) = near >> 240 != 0 ? (cap.far.weekCap, cap.far.monthCap) : (0, 0);
        SpendHistory.History storage history = _histories[agentId][token];
        SpendHistory.Spent memory spent = history.spent(uint80(near >> 80) != 0, weekCap != 0, uint80(near >> 160) | monthCap != 0);
        if (standing.has(CAME_OVER)) _addFormer(agentId, token, spent);
        if (amount > _left(uint80(near >> 80), spent.day)) {
            revert DayCapExceeded(agentId, token, amount, spent.day, uint80(near >> 80));
        }
        if (amount > _left(weekCap, spent.week)) {
            revert WeekCapExceeded(agentId, token, amount, spent.week, weekCap);
        }
        if (amount > _left(monthCap, spent.month)) {
            revert MonthCapExceeded(agentId, token, amount, spent.month, monthCap);
        }
        if (amount > _left(uint80(near >> 160), spent.total)) {
            revert TotalCapExceeded(agentId, token, amount, spent.total, uint80(near >> 160));
        }
        history.add(amount, spent);
    }

    /// @dev Adds the former policy's word on what was spent under it. The total is the mandate's, and no mandate comes
    /// over.
    function _addFormer(uint256 agentId, address token, SpendHistory.Spent memory spent) private view {
        Former memory former = _formers[agentId];
        if (block.timestamp >= former.left + LONGEST_WINDOW) return;
        (uint256 day, uint256 week, uint256 month) = former.policy.spentOf(agentId, token);
        (spent.day, spent.week, spent.month) = (spent.day + day, spent.week + week, spent.month + month);
    }

    function _isActive(Standing standing) private view returns (bool) {
        return !standing.has(PAUSED_BY_OWNER) && block.timestamp >= _lastStop(standing) && _isTimely(standing);
    }

    function _isTimely(Standing standing) private view returns (bool) {
        return standing.validAfter() <= block.timestamp && block.timestamp < standing.expiry();
    }

    function _isGranted(uint256 agentId, address key, uint32 epoch) private view returns (bool) {
        Key storage granted = keys[agentId][key];
        // Epoch and end in one word: a copy of the struct would cost every payment more.
        uint256 word;
        assembly ("memory-safe") {
            word := sload(granted.slot)
        }
        return uint32(word) == epoch && epoch != 0 && block.timestamp < uint48(word >> 32);
    }

    function _left(uint256 cap, uint256 spent) private pure returns (uint256) {
        if (cap == 0) return type(uint256).max;
        return cap > spent ? cap - spent : 0;
    }

    function _min(uint256 a, uint256 b) private pure returns (uint256) {
        return a < b ? a : b;
    }
}
