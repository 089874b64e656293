// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {ECDSA} from "@openzeppelin/contracts/utils/cryptography/ECDSA.sol";
import {SignatureChecker} from "@openzeppelin/contracts/utils/cryptography/SignatureChecker.sol";

/// @title Signatures of wallets of every kind
library OwnerSignatures {
    /// @notice Whether `owner` signed `digest`: by its own key, or as a contract wallet (ERC-1271).
    /// @dev The key is tried first. A wallet with an EIP-7702 delegation has code and a key; its key still signs when
    /// the delegate does not know ERC-1271.
    /// @param owner the wallet
    /// @param digest what was signed
    /// @param signature 65 bytes of a key, or whatever the contract wallet takes
    /// @return whether the signature is the owner's
    function isBy(address owner, bytes32 digest, bytes memory signature) internal view returns (bool) {
        (address signer, ECDSA.RecoverError failure,) = ECDSA.tryRecover(digest, signature);
        if (failure == ECDSA.RecoverError.NoError && signer == owner) return true;
        return owner.code.length != 0 && SignatureChecker.isValidERC1271SignatureNow(owner, digest, signature);
    }
}
