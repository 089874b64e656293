// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {ERC721} from "@openzeppelin/contracts/token/ERC721/ERC721.sol";

/**
 * @dev A provider of names for local chains: whoever comes first has a name. A token's id is the name's hash (EIP-137),
 * as providers of names give it. Not for a chain where names mean something.
 */
contract DemoNames is ERC721 {
    /// @notice Whether it gives out top-level names as well.
    bool public immutable TOP_LEVEL;

    /// @dev A name has two labels, or one where top-level names are given out.
    error NotANameHere(uint256 labels);
    /// @dev A label is empty, or has a dot in it.
    error NotALabel(string label);

    constructor(string memory name_, string memory symbol_, bool topLevel) ERC721(name_, symbol_) {
        TOP_LEVEL = topLevel;
    }

    /// @notice Gives a name to a holder, unless somebody has it.
    /// @param labels the parts of the name as they are read, such as "alice" and "x"
    /// @param to its holder
    /// @return id the name's hash
    function register(string[] calldata labels, address to) external returns (uint256 id) {
        if (labels.length != 2 && !(TOP_LEVEL && labels.length == 1)) revert NotANameHere(labels.length);
        bytes32 node;
        for (uint256 i = labels.length; i > 0; i--) {
            node = keccak256(abi.encodePacked(node, _hash(labels[i - 1])));
        }
        id = uint256(node);
        _mint(to, id);
    }

    function _hash(string calldata label) private pure returns (bytes32) {
        bytes calldata letters = bytes(label);
        bool isLabel = letters.length != 0;
        for (uint256 i; i < letters.length; i++) {
            if (letters[i] == ".") isLabel = false;
        }
        if (!isLabel) revert NotALabel(label);
        return keccak256(letters);
    }
}
