// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

/// @dev The cheat codes of forge that these tests use.
interface Vm {
    struct Gas {
        uint64 gasLimit;
        uint64 gasTotalUsed;
        uint64 gasMemoryUsed;
        int64 gasRefunded;
        uint64 gasRemaining;
    }

    struct Log {
        bytes32[] topics;
        bytes data;
        address emitter;
    }

    function prank(address) external;
    function prank(address sender, address origin) external;
    function startPrank(address) external;
    function stopPrank() external;
    function warp(uint256) external;
    function chainId(uint256) external;
    function snapshotState() external returns (uint256);
    function revertToState(uint256) external returns (bool);
    function expectRevert(bytes calldata) external;
    function expectRevert(bytes4) external;
    function expectEmit(address) external;
    function recordLogs() external;
    function getRecordedLogs() external returns (Log[] memory);
    function etch(address, bytes calldata) external;
    function addr(uint256) external pure returns (address);
    function computeCreateAddress(address, uint256) external pure returns (address);
    function sign(uint256, bytes32) external pure returns (uint8, bytes32, bytes32);
    function assume(bool) external pure;
    function deal(address, uint256) external;
    function lastCallGas() external view returns (Gas memory);
    function readFile(string calldata) external view returns (string memory);
    function parseJsonString(string calldata, string calldata) external pure returns (string memory);
    function parseBytes(string calldata) external pure returns (bytes memory);
    function replace(string calldata, string calldata, string calldata) external pure returns (string memory);
    function toString(address) external pure returns (string memory);
}
