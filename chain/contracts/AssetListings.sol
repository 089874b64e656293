// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {MessageHashUtils} from "@openzeppelin/contracts/utils/cryptography/MessageHashUtils.sol";
import {SignatureChecker} from "@openzeppelin/contracts/utils/cryptography/SignatureChecker.sol";
import {Strings} from "@openzeppelin/contracts/utils/Strings.sol";
import {Mandates} from "./Mandates.sol";

/**
 * @dev What an agent may sell: only what its current owner has listed. A listing is for one sale, and ends with it,
 * with the agent's transfer, and when the owner or the guardian takes it back.
 *
 * The owner lists by a transaction, or by the text that the owner's wallet signed for the service: the text must
 * hold the line that {listingLine} builds, so that what the wallet showed is what the chain checks.
 */
abstract contract AssetListings is Mandates {
    using Strings for uint256;
    using Strings for address;

    /// @dev Signed texts that have listed something: each counts once.
    mapping(bytes32 textHash => bool) public usedTexts;
    mapping(bytes32 listing => bool) private _listed;

    event AssetListed(
        uint256 indexed agentId, address indexed asset, uint256 indexed tokenId, uint32 epoch, bool listed
    );

    /// @dev The agent's current owner has not listed the asset, or it was sold since.
    error AssetNotListed(uint256 agentId, address asset, uint256 tokenId);
    /// @dev The line that lists the asset does not stand on a line of its own in the text.
    error LineNotApart();
    /// @dev This text has listed the asset before.
    error TextAlreadyUsed(bytes32 textHash);

    /// @dev Lists an asset, or takes it back. The guardian may only take back.
    function setListed(uint256 agentId, address asset, uint256 tokenId, bool listed) external {
        bool mayTakeBack = msg.sender == GUARDIAN && !listed;
        if (!mayTakeBack && msg.sender != nft.ownerOf(agentId)) revert NotOwner(agentId, msg.sender);
        _setListed(agentId, nft.epochOf(agentId), asset, tokenId, listed);
    }

    /**
     * @dev Lists an asset by the owner's EIP-191 signature (or ERC-1271) over `before`, the line of {listingLine} for
     * the present epoch and `deadline`, and `rest`. Anyone may send it, once.
     */
    function listByMessage(
        uint256 agentId,
        address asset,
        uint256 tokenId,
        uint48 deadline,
        string calldata before,
        string calldata rest,
        bytes calldata signature
    ) external {
        if (block.timestamp > deadline) revert SignatureExpired(deadline);
        if (!_endsLine(bytes(before)) || !_beginsLine(bytes(rest))) revert LineNotApart();
        uint32 epoch = nft.epochOf(agentId);
        string memory line = listingLine(agentId, asset, tokenId, epoch, deadline);
        _useText(agentId, bytes(string.concat(before, line, rest)), signature);
        _setListed(agentId, epoch, asset, tokenId, true);
    }

    /// @dev Whether the agent may sell the asset now, as far as its listing goes.
    function isListed(uint256 agentId, address asset, uint256 tokenId) external view returns (bool) {
        return _listed[_listing(agentId, nft.epochOf(agentId), asset, tokenId)];
    }

    /// @dev The words by which an owner lists an asset. Addresses in lower case, `deadline` in unix seconds.
    function listingLine(uint256 agentId, address asset, uint256 tokenId, uint32 epoch, uint48 deadline)
        public
        view
        returns (string memory)
    {
        string memory what = string.concat("List token ", tokenId.toString(), " of ", asset.toHexString());
        string memory whose =
            string.concat(" for sale by agent ", agentId.toString(), " of ", address(nft).toHexString());
        return string.concat(
            what,
            whose,
            string.concat(" on chain ", block.chainid.toString(), ", epoch ", uint256(epoch).toString()),
            string.concat(", until ", uint256(deadline).toString(), ".")
        );
    }

    /// @dev A sale uses its listing up.
    function _useListing(uint256 agentId, uint32 epoch, address asset, uint256 tokenId) internal {
        if (!_listed[_listing(agentId, epoch, asset, tokenId)]) revert AssetNotListed(agentId, asset, tokenId);
        _setListed(agentId, epoch, asset, tokenId, false);
    }

    /// @dev Takes a text that the current owner signed, once.
    function _useText(uint256 agentId, bytes memory text, bytes calldata signature) private {
        bytes32 textHash = keccak256(text);
        if (usedTexts[textHash]) revert TextAlreadyUsed(textHash);
        usedTexts[textHash] = true;
        bytes32 digest = MessageHashUtils.toEthSignedMessageHash(text);
        if (!SignatureChecker.isValidSignatureNow(nft.ownerOf(agentId), digest, signature)) {
            revert BadOwnerSignature(agentId);
        }
    }

    function _setListed(uint256 agentId, uint32 epoch, address asset, uint256 tokenId, bool listed) private {
        _listed[_listing(agentId, epoch, asset, tokenId)] = listed;
        emit AssetListed(agentId, asset, tokenId, epoch, listed);
    }

    /// @dev The epoch is in the key: what a former owner listed is out of reach.
    function _listing(uint256 agentId, uint32 epoch, address asset, uint256 tokenId) private pure returns (bytes32) {
        return keccak256(abi.encode(agentId, epoch, asset, tokenId));
    }

    function _endsLine(bytes calldata text) private pure returns (bool) {
        return text.length == 0 || text[text.length - 1] == "\n";
    }

    function _beginsLine(bytes calldata text) private pure returns (bool) {
        return text.length == 0 || text[0] == "\n";
    }
}
