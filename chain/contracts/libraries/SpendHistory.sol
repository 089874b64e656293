// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {SafeCast} from "@openzeppelin/contracts/utils/math/SafeCast.sol";

/**
 * @dev What one agent ever spent of one token, so that any rolling window and the calendar month can be told
 * exactly at the moment of a payment. Nothing here is ever reset: caps come and go, the history stays.
 *
 * Each payment is one entry that holds the sum of all payments before it. The tail of a window is the first entry
 * still inside it; it only moves forward, so the last known tail is where the search starts.
 * Entries that a search passed one by one on leaving the week are cleared; a cleared one reads as long expired.
 */
library SpendHistory {
    using SafeCast for uint256;

    struct Entry {
        uint48 time;
        uint112 before; // the sum of all earlier payments
    }

    /// @dev One slot, read and written whole by every payment.
    struct Head {
        uint112 cumulative;
        uint48 monthEnd; // first second after the month of the last payment
        uint32 count;
        uint32 dayTail;
        uint32 weekTail;
    }

    struct History {
        Head head;
        // One slot, written when a month or a mandate begins.
        uint112 beforeMonth; // cumulative when the month of the last payment began
        uint112 beforeMandate; // cumulative when the mandate in force was set
        mapping(uint256 index => Entry) entries;
    }

    struct Spent {
        uint256 day;
        uint256 week;
        uint256 month;
        uint256 total;
        uint256 tail; // of the week, as it stood
        Head head; // with the tails moved on
    }

    uint256 internal constant DAY = 1 days;
    uint256 internal constant WEEK = 7 days;
    /// @dev How many entries are passed one by one before the search halves instead.
    uint256 private constant STEPS = 4;

    /// @dev What counts against each window now. A window that is not `wanted` is left out, its tail unmoved.
    function spent(History storage self, bool wantDay, bool wantWeek) internal view returns (Spent memory s) {
        Head memory head = self.head;
        s.tail = head.weekTail;
        if (wantDay) (head.dayTail, s.day) = _inside(self, head, head.dayTail, DAY);
        if (wantWeek) (head.weekTail, s.week) = _inside(self, head, head.weekTail, WEEK);
        (uint256 beforeMonth, uint256 beforeMandate) = (self.beforeMonth, self.beforeMandate);
        s.month = block.timestamp < head.monthEnd ? head.cumulative - beforeMonth : 0;
        s.total = head.cumulative - beforeMandate;
        s.head = head;
    }

    /// @dev Adds a payment. `s` is what {spent} told in this same transaction.
    function add(History storage self, uint256 amount, Spent memory s) internal {
        Head memory head = s.head;
        uint112 before = head.cumulative;
        if (block.timestamp >= head.monthEnd) {
            self.beforeMonth = before;
            head.monthEnd = nextMonth(block.timestamp);
        }
        // What has left the longest window is never asked for again: clearing it pays for part of the new entry.
        // Indices below 2^32: nothing here can overflow.
        unchecked {
            uint256 tail = s.tail;
            uint256 end = tail + STEPS;
            if (head.weekTail < end) end = head.weekTail;
            for (; tail < end; ++tail) delete self.entries[tail];
        }
        self.entries[head.count] = Entry(uint48(block.timestamp), before);
        head.cumulative = (before + amount).toUint112();
        ++head.count;
        self.head = head;
    }

    /// @dev From here on the total counts for a new mandate. The windows go on.
    function beginMandate(History storage self) internal {
        if (self.head.count != 0) self.beforeMandate = self.head.cumulative;
    }

    /// @dev The first second of the UTC calendar month after the one of `time` (Hinnant's civil_from_days).
    function nextMonth(uint256 time) internal pure returns (uint48) {
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
            return uint48((first + length) * 1 days);
        }
    }

    /// @dev The first entry younger than `window`, from `tail` on, and what was spent from it to the end.
    function _inside(History storage self, Head memory head, uint256 tail, uint256 window)
        private
        view
        returns (uint32, uint256)
    {
        uint256 high = head.count;
        uint256 before = head.cumulative;
        // Indices below 2^32, times below 2^48: nothing here can overflow.
        unchecked {
            for (uint256 step; tail < high; ++step) {
                // Steady payers pass an entry or two; after a pause the rest is halved.
                uint256 probe = step < STEPS ? tail : (tail + high) >> 1;
                Entry memory entry = self.entries[probe];
                if (entry.time + window <= block.timestamp) {
                    tail = probe + 1;
                } else {
                    before = entry.before;
                    high = probe; // which ends a walk
                }
            }
        }
        return (uint32(tail), head.cumulative - before);
    }
}
