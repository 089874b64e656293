// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

/// @title What the accounts ask of the certificates
interface ICertificates {
    /// @notice How many certificates ever left a holder, or became void in its hands.
    /// @param holder a wallet or an agent's account
    /// @return only ever more
    function departuresOf(address holder) external view returns (uint256);
}
