// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

/// @dev Anchors the Merkle roots of batches of records: the chain keeps one word a batch, the service the records.
contract Ledger {
    /// @dev The only one who anchors.
    address public immutable RECORDER;

    /// @dev How many batches were anchored.
    uint64 public batches;
    /// @dev When a root was anchored, unix seconds; zero when it was not.
    mapping(bytes32 root => uint48) public anchoredAt;

    event Anchored(bytes32 indexed root, uint32 size, uint64 indexed batch);

    /// @dev Only the recorder anchors.
    error NotRecorder(address caller);
    /// @dev A batch holds at least one record and has a root.
    error EmptyBatch();
    /// @dev The root stands already: an anchoring that is sent again changes nothing.
    error AlreadyAnchored(bytes32 root);

    constructor(address recorder) {
        RECORDER = recorder;
    }

    /// @dev Anchors the root of a batch of `size` records. Returns the batch's number, from 1.
    function anchor(bytes32 root, uint32 size) external returns (uint64 batch) {
        if (msg.sender != RECORDER) revert NotRecorder(msg.sender);
        if (root == 0 || size == 0) revert EmptyBatch();
        if (anchoredAt[root] != 0) revert AlreadyAnchored(root);
        anchoredAt[root] = uint48(block.timestamp);
        batch = ++batches;
        emit Anchored(root, size, batch);
    }
}
