// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {ERC721} from "@openzeppelin/contracts/token/ERC721/ERC721.sol";
import {Strings} from "@openzeppelin/contracts/utils/Strings.sol";

/// @dev Things to trade on local chains: anyone may mint one to anyone. Not for a chain where assets mean something.
contract DemoAssets is ERC721 {
    uint256 public lastId;

    constructor() ERC721("Safe Handshake Demo Asset", "DEMO") {}

    /// @notice Mints the next asset.
    /// @param to its holder
    /// @return id its number, from 1
    function mint(address to) external returns (uint256 id) {
        id = ++lastId;
        _mint(to, id);
    }

    /// @notice The metadata of a demo asset, in the URI itself.
    /// @param id its number
    /// @return a data URI
    function tokenURI(uint256 id) public view override returns (string memory) {
        _requireOwned(id);
        return string.concat('data:application/json,{"name":"Demo asset ', Strings.toString(id), '"}');
    }
}
