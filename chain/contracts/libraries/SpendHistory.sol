// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {SafeCast} from "@openzeppelin/contracts/utils/math/SafeCast.sol";

/**
 * @title The payments of one agent in one token
 * @notice Tells what was spent in any rolling window, in the calendar month and under the mandate, exact to the second.
 * Nothing here is ever reset: caps come and go, the history stays.
 *
 * @dev Each payment is one entry that holds the sum of all payments before it, so that a window's sum is one
 * subtraction once its first entry is found. Only entries of the last seven days are kept. The slots of older ones are
 * written again, which costs a quarter of a fresh slot.
 *
 * The kept entries lie, oldest first, in up to three runs of positions:
 *
 * - `wrap == 0`: one run, `[lo, hi)`.
 * - `wrap != 0` and `lo >= wrap`: `[lo, mid)`, then `[0, wrap)`, then `[mid, hi)`.
 * - `wrap != 0` and `lo < wrap`: `[lo, wrap)`, then `[mid, hi)`.
 *
 * A run that has room before it is continued at position 0; where it meets its own oldest entry it goes on at its end.
 * Code here speaks of an entry by its rank, its place from the oldest kept one, and {_at} tells the position.
 */
library SpendHistory {
    using SafeCast for uint256;

    struct Entry {
        uint40 time;
        uint96 before; // the sum of all earlier payments
    }

    /// @dev One slot, read and written whole by every payment.
    struct Head {
        uint96 cumulative;
        uint40 monthEnd; // first second after the month of the last payment
        uint24 lo;
        uint24 mid;
        uint24 wrap;
        uint24 hi;
        uint24 dayRank; // of the first entry that the day's window may still hold
    }

    struct History {
        Head head;
        // One slot, written when a month or a mandate begins, read only for a cap of a month or in total.
        uint96 beforeMonth; // cumulative when the month of the last payment began
        uint96 beforeMandate; // cumulative when the mandate in force was set
        mapping(uint256 position => Entry) entries;
    }

    struct Spent {
        uint256 day;
        uint256 week;
        uint256 month;
        uint256 total;
        Head head; // without the entries that have left the week
    }

    uint256 internal constant DAY = 1 days;
    uint256 internal constant WEEK = 7 days;
    /// @dev How many entries are passed one by one before the search halves instead.
    uint256 private constant STEPS = 4;

    /// @notice What counts against each window now.
    /// @param self the history
    /// @param wantDay whether the last 24 hours are asked for; else `day` is zero
    /// @param wantWeek whether the last 7 days are asked for; else `week` is zero
    /// @param wantSums whether this month and this mandate are asked for; else `month` and `total` are zero
    /// @return s the sums in the token's smallest unit, and the head that {add} goes on from
    function spent(History storage self, bool wantDay, bool wantWeek, bool wantSums)
        internal
        view
        returns (Spent memory s)
    {
        Head memory head = self.head;
        uint256 count = _count(head);
        if (wantDay) (head.dayRank, s.day) = _inside(self, head, count, head.dayRank, DAY);
        uint256 gone;
        if (wantWeek) {
            (gone, s.week) = _inside(self, head, count, 0, WEEK);
        } else if (count != 0 && self.entries[head.lo].time + WEEK <= block.timestamp) {
            // One entry leaves for the one that comes: its slot is the next to be written.
            gone = 1;
        }
        if (gone != 0) _drop(head, count, gone);
        if (wantSums) {
            (uint256 beforeMonth, uint256 beforeMandate) = (self.beforeMonth, self.beforeMandate);
            if (block.timestamp < head.monthEnd) s.month = head.cumulative - beforeMonth;
            s.total = head.cumulative - beforeMandate;
        }
        s.head = head;
    }

    /// @notice Adds a payment.
    /// @param self the history
    /// @param amount in the token's smallest unit
    /// @param s what {spent} told in this same transaction
    function add(History storage self, uint256 amount, Spent memory s) internal {
        Head memory head = s.head;
        uint96 before = head.cumulative;
        if (block.timestamp >= head.monthEnd) {
            self.beforeMonth = before;
            head.monthEnd = nextMonth(block.timestamp);
        }
        uint256 position;
        if (head.wrap == 0 && head.lo != 0) {
            (head.mid, head.wrap) = (head.hi, 1);
        } else if (head.wrap != 0 && head.hi == head.mid && head.wrap < head.lo) {
            position = head.wrap++;
        } else {
            position = head.hi++;
        }
        self.entries[position] = Entry(uint40(block.timestamp), before);
        head.cumulative = (before + amount).toUint96();
        self.head = head;
    }

    /// @notice From here on the total counts for a new mandate. The windows go on.
    /// @param self the history
    function beginMandate(History storage self) internal {
        uint96 cumulative = self.head.cumulative;
        if (cumulative != 0) self.beforeMandate = cumulative;
    }

    /// @notice The first second of the UTC calendar month after the one of `time`.
    /// @dev Hinnant's civil_from_days.
    /// @param time unix seconds
    /// @return unix seconds
    function nextMonth(uint256 time) internal pure returns (uint40) {
        unchecked {
            uint256 day = time / 1 days;
            uint256 z = day + 719_468;
            uint256 doe = z % 146_097;
            uint256 yoe = (doe - doe / 1_460 + doe / 36_524 - doe / 146_096) / 365;
            uint256 doy = doe - (365 * yoe + yoe / 4 - yoe / 100);
            uint256 mp = (5 * doy + 2) / 153; // months since March
            uint256 first = day - (doy - (153 * mp + 2) / 5); // the month's own first day
            uint256 length = 31 - (mp % 5) % 2; // March 31, April 30, May 31, …, July 31, August 31
            if (mp == 11) {
                uint256 year = yoe + 1; // leap years repeat every 400
                length = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28;
            }
            return uint40((first + length) * 1 days);
        }
    }

    /// @dev How many entries are kept.
    function _count(Head memory head) private pure returns (uint256) {
        // `lo <= mid <= hi` and `wrap <= mid` wherever they are subtracted.
        unchecked {
            if (head.wrap == 0) return uint256(head.hi) - head.lo;
            uint256 first = head.lo < head.wrap ? uint256(head.wrap) - head.lo : uint256(head.mid) - head.lo + head.wrap;
            return first + head.hi - head.mid;
        }
    }

    /// @dev The position of the entry of this rank.
    function _at(Head memory head, uint256 rank) private pure returns (uint256) {
        unchecked {
            uint256 position = head.lo + rank;
            if (head.wrap == 0) return position;
            if (head.lo < head.wrap) return position < head.wrap ? position : position - head.wrap + head.mid;
            if (position < head.mid) return position;
            position -= head.mid;
            return position < head.wrap ? position : position - head.wrap + head.mid;
        }
    }

    /// @dev Leaves out the oldest `gone` of `count` entries.
    function _drop(Head memory head, uint256 count, uint256 gone) private pure {
        unchecked {
            head.dayRank = head.dayRank > gone ? uint24(head.dayRank - gone) : 0;
            if (gone == count) {
                (head.lo, head.mid, head.wrap, head.hi) = (0, 0, 0, 0);
                return;
            }
            uint256 position = _at(head, gone);
            if (head.wrap != 0) {
                uint256 last = uint256(head.hi) - head.mid;
                // Only the last run is left, or only the one that begins at 0: either is one run again.
                if (count - gone <= last) head.wrap = 0;
                else if (last == 0 && position < head.wrap) (head.hi, head.wrap) = (head.wrap, 0);
            }
            head.lo = uint24(position);
        }
    }

    /// @dev The rank of the first entry younger than `window`, from `rank` on, and what was spent from it to the end.
    function _inside(History storage self, Head memory head, uint256 count, uint256 rank, uint256 window)
        private
        view
        returns (uint24, uint256)
    {
        uint256 high = count;
        uint256 before = head.cumulative;
        // Ranks below 2^24, times below 2^40: nothing here can overflow.
        unchecked {
            for (uint256 step; rank < high; ++step) {
                // Steady payers pass an entry or two; after a pause the rest is halved.
                uint256 probe = step < STEPS ? rank : (rank + high) >> 1;
                Entry memory entry = self.entries[_at(head, probe)];
                if (entry.time + window <= block.timestamp) {
                    rank = probe + 1;
                } else {
                    before = entry.before;
                    high = probe; // which ends a walk
                }
            }
        }
        return (uint24(rank), head.cumulative - before);
    }
}
