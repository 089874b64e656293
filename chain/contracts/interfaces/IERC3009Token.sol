// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

/// @dev The parts of an EIP-3009 token that tell its EIP-712 domain.
interface IERC3009Token {
    /// @notice The name in the token's EIP-712 domain.
    /// @return the name
    function name() external view returns (string memory);
    /// @notice The version in it.
    /// @return the version
    function version() external view returns (string memory);
    /// @notice The hash of the token's EIP-712 domain.
    /// @return the separator
    function DOMAIN_SEPARATOR() external view returns (bytes32);
}
