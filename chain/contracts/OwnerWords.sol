// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {MessageHashUtils} from "@openzeppelin/contracts/utils/cryptography/MessageHashUtils.sol";
import {Strings} from "@openzeppelin/contracts/utils/Strings.sol";
import {AssetListings} from "./AssetListings.sol";
import {ISpendPolicy} from "./interfaces/ISpendPolicy.sol";
import {OwnerSignatures} from "./libraries/OwnerSignatures.sol";

/**
 * @title What owners sign for a policy
 * @notice Acts are signed as EIP-712 data under the policy's own domain. An asset is listed by a text, built here letter
 * for letter as the owner's wallet showed it, which names the policy and the settlement that it is for. No other policy
 * takes either.
 * @dev A contract of its own because the policy's code is at the bound of EIP-170. It keeps nothing. The policy that
 * asks is the one that the words must name.
 */
contract OwnerWords {
    using Strings for uint256;
    using Strings for address;

    bytes32 private constant DOMAIN_TYPEHASH =
        keccak256("EIP712Domain(string name,string version,uint256 chainId,address verifyingContract)");
    bytes32 private constant NAME_HASH = keccak256("SafeHandshakeSpendPolicy");
    bytes32 private constant VERSION_HASH = keccak256("1");

    bytes32 private constant TERMS_TYPEHASH = keccak256(
        "Terms(bytes32 mandateHash,uint48 validAfter,uint48 expiry,uint8 sides,bool allowlistOnly,uint256 categories)"
    );
    bytes32 private constant TOKEN_CAP_TYPEHASH = keccak256(
        "TokenCap(address token,uint128 perDeal,uint128 dayCap,uint128 weekCap,uint128 monthCap,uint128 totalCap,uint128 minPrice)"
    );
    bytes32 private constant SET_MANDATE_TYPEHASH = keccak256(
        "SetMandate(uint256 agentId,Terms terms,TokenCap[] caps,address[] allow,address[] deny,uint32 epoch,uint256 nonce,uint48 deadline)"
        "Terms(bytes32 mandateHash,uint48 validAfter,uint48 expiry,uint8 sides,bool allowlistOnly,uint256 categories)"
        "TokenCap(address token,uint128 perDeal,uint128 dayCap,uint128 weekCap,uint128 monthCap,uint128 totalCap,uint128 minPrice)"
    );
    /// @dev The words that an owner and a {Place} take.
    uint256 private constant BEHIND = 6 * 32;

    /// @notice Where and when the words count.
    struct Place {
        address nft; // the agents' token
        address settlement; // which the agent is bound to
        uint32 epoch; // of the agent
        uint256 binding; // how often its owner has bound it to another settlement
        uint256 changes; // of this listing so far
    }

    /// @dev The line that lists the asset does not stand on a line of its own in the text.
    error LineNotApart();

    /// @notice Whether an owner signed an act for the policy that asks.
    /// @param owner the wallet
    /// @param content the act's EIP-712 struct hash
    /// @param signature the owner's, as EIP-712 data or by ERC-1271
    /// @return whether it is the owner's
    function isSigned(address owner, bytes32 content, bytes calldata signature) external view returns (bool) {
        bytes32 domain = keccak256(abi.encode(DOMAIN_TYPEHASH, NAME_HASH, VERSION_HASH, block.chainid, msg.sender));
        return OwnerSignatures.isBy(owner, MessageHashUtils.toTypedDataHash(domain, content), signature);
    }

    /// @notice What an owner signs who sets a mandate, up to the epoch: the policy hands its own call on to here.
    /// @param agentId the agent
    /// @param terms the mandate without its amounts
    /// @param caps one entry a token
    /// @param allow counterparties named as allowed
    /// @param deny counterparties named as denied
    /// @return content the beginning of the EIP-712 struct's encoding
    function setMandateBySig(
        uint256 agentId,
        ISpendPolicy.Terms calldata terms,
        ISpendPolicy.TokenCap[] calldata caps,
        address[] calldata allow,
        address[] calldata deny,
        uint48,
        bytes calldata
    ) external pure returns (bytes memory content) {
        return abi.encode(
            SET_MANDATE_TYPEHASH,
            agentId,
            keccak256(abi.encode(TERMS_TYPEHASH, terms)),
            _hashCaps(caps),
            _hashParties(allow),
            _hashParties(deny)
        );
    }

    /// @notice Whether an owner signed a text (EIP-191 or ERC-1271) that holds the line of a listing: the policy hands
    /// its own call on to here, with the owner and the {Place} behind it.
    /// @param lot what is offered
    /// @param deadline until when, unix seconds
    /// @param before what stands above the line
    /// @param rest what stands below it
    /// @param signature the owner's
    /// @return whether it is the owner's
    function listByMessage(
        AssetListings.Lot calldata lot,
        uint48 deadline,
        string calldata before,
        string calldata rest,
        bytes calldata signature
    ) external view returns (bool) {
        if (!_endsLine(bytes(before)) || !_beginsLine(bytes(rest))) revert LineNotApart();
        (address owner, Place memory place) = abi.decode(msg.data[msg.data.length - BEHIND:], (address, Place));
        bytes memory text = bytes(string.concat(before, _line(lot, place, deadline), rest));
        return OwnerSignatures.isBy(owner, MessageHashUtils.toEthSignedMessageHash(text), signature);
    }

    /// @notice The line: addresses in lower case, amounts in the token's smallest unit, the time in unix seconds.
    /// @param lot what is offered
    /// @param place where and when it counts
    /// @param deadline until when, unix seconds
    /// @return letter for letter what the text holds
    function line(AssetListings.Lot calldata lot, Place calldata place, uint48 deadline)
        external
        view
        returns (string memory)
    {
        return _line(lot, place, deadline);
    }

    function _line(AssetListings.Lot calldata lot, Place memory place, uint48 deadline)
        private
        view
        returns (string memory)
    {
        string memory what = string.concat("List token ", lot.tokenId.toString(), " of ", lot.asset.toHexString());
        string memory price = string.concat(
            " for at least ", uint256(lot.minPrice).toString(), " units of ", lot.token.toHexString()
        );
        string memory whose = string.concat(" by agent ", lot.agentId.toString(), " of ", place.nft.toHexString());
        string memory where = string.concat(
            " on chain ",
            block.chainid.toString(),
            " under policy ",
            msg.sender.toHexString(),
            " for settlement ",
            place.settlement.toHexString()
        );
        return string.concat(what, price, whose, where, _when(place, deadline));
    }

    function _when(Place memory place, uint48 deadline) private pure returns (string memory) {
        // Most agents stay with their first settlement, and their words are short.
        string memory binding = place.binding == 0 ? "" : string.concat(", binding ", place.binding.toString());
        string memory epoch = string.concat(", epoch ", uint256(place.epoch).toString(), binding);
        return string.concat(
            epoch, ", change ", place.changes.toString(), ", until ", uint256(deadline).toString(), "."
        );
    }

    function _endsLine(bytes calldata text) private pure returns (bool) {
        return text.length == 0 || text[text.length - 1] == "\n";
    }

    function _beginsLine(bytes calldata text) private pure returns (bool) {
        return text.length == 0 || text[0] == "\n";
    }

    function _hashCaps(ISpendPolicy.TokenCap[] calldata caps) private pure returns (bytes32) {
        bytes32[] memory hashes = new bytes32[](caps.length);
        for (uint256 i; i < caps.length; ++i) {
            hashes[i] = keccak256(abi.encode(TOKEN_CAP_TYPEHASH, caps[i]));
        }
        return keccak256(abi.encodePacked(hashes));
    }

    function _hashParties(address[] calldata parties) private pure returns (bytes32) {
        return keccak256(abi.encodePacked(parties));
    }
}
