// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {SpendHistory} from "../libraries/SpendHistory.sol";
import {Vm} from "./Vm.sol";

/// @dev The history against a plain list of payments that is summed anew each time.
contract SpendHistoryTest {
    using SpendHistory for SpendHistory.History;

    Vm private constant vm = Vm(address(uint160(uint256(keccak256("hevm cheat code")))));
    SpendHistory.History private history;
    uint256[] private times;
    uint256[] private amounts;

    function setUp() public {
        vm.warp(1_760_000_000);
    }

    function pay(uint256 amount, bool day, bool week) private {
        history.add(amount, history.spent(day, week, false));
        times.push(block.timestamp);
        amounts.push(amount);
    }

    function check() private view {
        SpendHistory.Spent memory s = history.spent(true, true, true);
        uint256 next = SpendHistory.nextMonth(block.timestamp);
        uint256 day;
        uint256 week;
        uint256 month;
        uint256 total;
        for (uint256 i; i < times.length; ++i) {
            if (times[i] + 1 days > block.timestamp) day += amounts[i];
            if (times[i] + 7 days > block.timestamp) week += amounts[i];
            if (SpendHistory.nextMonth(times[i]) == next) month += amounts[i];
            total += amounts[i];
        }
        require(s.day == day, "day");
        require(s.week == week, "week");
        require(s.month == month, "month");
        require(s.total == total && history.head.cumulative == total, "total");
    }

    function testFuzz_windows_are_exact_over_any_history(uint256 seed, uint8 length) public {
        uint256 now_ = block.timestamp;
        for (uint256 i; i < length % 80; ++i) {
            seed = uint256(keccak256(abi.encode(seed)));
            // Bursts within a second, quiet weeks, and everything between.
            uint256 scale = seed % 5;
            uint256 gap = (seed >> 8)
                % (scale == 0 ? 2 : scale == 1 ? 1 hours : scale == 2 ? 1 days : scale == 3 ? 8 days : 40 days);
            now_ += gap;
            vm.warp(now_);
            // A mandate without a window's cap does not move that window's tail.
            pay((seed >> 64) % 1e9 + 1, (seed >> 128) % 3 != 0, (seed >> 136) % 3 != 0);
            check();
        }
        vm.warp(now_ + (seed >> 16) % 9 days);
        check();
    }

    function test_a_long_burst_is_passed_by_halving_after_a_pause() public {
        for (uint256 i; i < 600; ++i) {
            history.add(1, history.spent(true, true, true));
        }
        require(history.head.hi == 600, "a slot each");
        vm.warp(block.timestamp + 8 days);
        uint256 before = gasleft();
        SpendHistory.Spent memory s = history.spent(true, true, true);
        uint256 used = before - gasleft();
        require(s.day == 0 && s.week == 0 && s.head.lo == 0 && s.head.hi == 0, "passed");
        require(used < 100_000, "a search, not a walk");
        history.add(1, s);
        require(history.head.hi == 1, "from the first slot again");
    }

    /// @dev A slot whose entry has left the week is written again, at a quarter of a fresh slot's price.
    function test_steady_payments_take_no_more_slots_than_a_week_holds() public {
        for (uint256 i; i < 200; ++i) {
            vm.warp(block.timestamp + 5 hours);
            pay(1, i % 3 == 0, i % 5 == 0);
        }
        check();
        require(history.entries[33].time != 0 && history.entries[36].time == 0, "34 of them are of one week");
    }

    function test_a_burst_over_kept_entries_goes_on_behind_them_and_is_reused_in_turn() public {
        for (uint256 i; i < 10; ++i) {
            vm.warp(block.timestamp + 1 days);
            pay(i + 1, true, true);
        }
        // Positions 0 to 6 are full; more than have left the week come at once.
        for (uint256 i; i < 9; ++i) {
            pay(100, true, true);
            check();
        }
        for (uint256 i; i < 20; ++i) {
            vm.warp(block.timestamp + 1 days);
            pay(i, false, i % 2 == 0);
            check();
        }
        require(history.entries[24].time == 0, "no slot beyond what two weeks held");
    }

    function test_a_run_that_alone_is_left_gives_the_room_before_it_to_the_next() public {
        uint256 start = block.timestamp;
        pay(1, true, true); // position 0
        vm.warp(start + 1 days);
        pay(2, true, true); // 1
        vm.warp(start + 7 days);
        pay(3, true, true); // 0 again, since the first has left
        pay(4, true, true); // 2, behind the second
        vm.warp(start + 8 days);
        pay(5, true, true); // 3: the second has left
        check();
        vm.warp(start + 14 days);
        pay(6, true, true);
        check();
        require(history.entries[0].time == block.timestamp && history.entries[4].time == 0, "0, and no new slot");
    }

    function testFuzz_the_next_month_begins_a_month_later(uint40 seed) public pure {
        // Up to the year 19,000: the end of a month is kept in 40 bits.
        uint256 time = seed >> 1;
        uint256 next = SpendHistory.nextMonth(time);
        require(next > time && next % 1 days == 0, "ahead, at midnight");
        require(SpendHistory.nextMonth(next - 1) == next, "its last second is still in it");
        uint256 length = SpendHistory.nextMonth(next) - next;
        require(length >= 28 days && length <= 31 days, "28 to 31 days");
    }

    function test_months_of_the_calendar() public pure {
        require(SpendHistory.nextMonth(0) == 2_678_400, "1970-02-01");
        require(SpendHistory.nextMonth(951_782_400) == 951_868_800, "2000-02-29 to 2000-03-01, a leap century");
        require(SpendHistory.nextMonth(1_709_251_199) == 1_709_251_200, "2024-02-29 23:59:59");
        require(SpendHistory.nextMonth(1_740_700_800) == 1_740_787_200, "2025-02-28 to 2025-03-01");
        require(SpendHistory.nextMonth(1_767_225_599) == 1_767_225_600, "2025-12-31 23:59:59");
        require(SpendHistory.nextMonth(1_767_225_600) == 1_769_904_000, "2026-01-01 to 2026-02-01");
        require(SpendHistory.nextMonth(4_107_456_000) == 4_107_542_400, "2100-02-28 to 2100-03-01, no leap century");
    }

    function test_twelve_months_over_four_hundred_years() public pure {
        uint256 time = 0;
        for (uint256 i; i < 4_800; ++i) {
            time = SpendHistory.nextMonth(time);
        }
        require(time == 146_097 * 1 days, "the Gregorian cycle closes");
    }
}
