// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

/// @dev The parts of an EIP-3009 token that tell its EIP-712 domain.
interface IERC3009Token {
    function name() external view returns (string memory);
    function version() external view returns (string memory);
    function DOMAIN_SEPARATOR() external view returns (bytes32);
}
