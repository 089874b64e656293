// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {Managed} from "./access/Managed.sol";
import {Roles} from "./access/Roles.sol";

/**
 * @title Anchors of records
 * @notice Keeps the Merkle roots of batches of records: the chain keeps one word a batch, the service the records. The
 * recorder may change; what was anchored before stays.
 */
contract Ledger is Managed {
    /// @notice How many batches were anchored.
    uint64 public batches;
    /// @notice When a root was anchored, unix seconds; zero when it was not.
    mapping(bytes32 root => uint48) public anchoredAt;

    /// @notice A batch was anchored.
    event Anchored(bytes32 indexed root, uint32 size, uint64 indexed batch);

    /// @dev A batch holds at least one record and has a root.
    error EmptyBatch();
    /// @dev The root stands already: an anchoring that is sent again changes nothing.
    error AlreadyAnchored(bytes32 root);

    /// @param authority the platform's manager
    constructor(address authority) Managed(authority) {}

    /// @notice Anchors the root of a batch of records. Only the recorder.
    /// @param root of the Merkle tree
    /// @param size how many records it holds
    /// @return batch the batch's number, from 1
    function anchor(bytes32 root, uint32 size) external onlyRole(Roles.RECORDER) returns (uint64 batch) {
        if (root == 0 || size == 0) revert EmptyBatch();
        if (anchoredAt[root] != 0) revert AlreadyAnchored(root);
        anchoredAt[root] = uint48(block.timestamp);
        batch = ++batches;
        emit Anchored(root, size, batch);
    }
}
