// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {Managed} from "./access/Managed.sol";
import {Roles} from "./access/Roles.sol";

/**
 * @title The guardian's brakes
 * @notice The guardian stops the session keys of all agents, or of one, for at most 72 hours; after that neither can be
 * done again for seven days, whoever the guardian is by then. The owner's door of an account never asks here: owners
 * take money and assets out, end keys and change mandates while all is stopped.
 *
 * @dev The stop of all lies in one slot with the settlement, which a deal reads in any case.
 */
abstract contract Brakes is Managed {
    /// @dev One slot. The settlement is that of every agent whose owner has bound no other.
    struct Gate {
        address settlement;
        uint40 pausedUntil; // end of the guardian's last stop of all, past or to come
    }

    /// @notice The longest that the guardian may stop anything.
    uint256 public constant MAX_PAUSE = 72 hours;
    /// @notice How long after a stop no other may begin.
    uint256 public constant COOL_DOWN = 7 days;

    Gate internal _gate;

    /// @notice `until` is when the stop ends, or has been ended.
    event AllPaused(uint256 until, address indexed by);

    /// @dev The guardian has stopped all session keys.
    error EverythingPaused(uint256 until);
    /// @dev A stop lasts from one second to {MAX_PAUSE}.
    error PauseTooLong(uint256 duration);
    /// @dev The last stop is not {COOL_DOWN} ago: no other may begin before this time.
    error CoolingDown(uint256 until);

    /// @notice Stops every session key's payments and deals. Only the guardian.
    /// @param duration in seconds, at most {MAX_PAUSE}; it is not made longer afterwards
    function pauseAll(uint256 duration) external onlyRole(Roles.GUARDIAN) {
        if (duration == 0 || duration > MAX_PAUSE) revert PauseTooLong(duration);
        _requireCooled(_gate.pausedUntil);
        _setPausedUntil(block.timestamp + duration);
    }

    /// @notice Ends the stop of all before its time. Only the guardian. The cool-down runs from here.
    function resumeAll() external onlyRole(Roles.GUARDIAN) {
        if (block.timestamp < _gate.pausedUntil) _setPausedUntil(block.timestamp);
    }

    /// @notice When the guardian's last stop of all ends or ended, unix seconds; zero when there was none.
    /// @return in the future while all is stopped
    function allPausedUntil() external view returns (uint256) {
        return _gate.pausedUntil;
    }

    /// @dev Refuses a stop that begins too soon after one that ends or ended at `until`.
    function _requireCooled(uint256 until) internal view {
        if (until != 0 && block.timestamp < until + COOL_DOWN) revert CoolingDown(until + COOL_DOWN);
    }

    function _setPausedUntil(uint256 until) private {
        _gate.pausedUntil = uint40(until);
        emit AllPaused(until, msg.sender);
    }
}
