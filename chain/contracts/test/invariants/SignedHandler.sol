// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {MessageHashUtils} from "@openzeppelin/contracts/utils/cryptography/MessageHashUtils.sol";
import {ISpendPolicy} from "../../interfaces/ISpendPolicy.sol";
import {Handler} from "./Handler.sol";

/**
 * @dev The same lives, whose owners also act by what they sign: mandates, keys and pauses by EIP-712, listings by the
 * text their wallet showed. Anyone relays it, at once, late or again, in any order; others sign in the owner's place.
 * Whether it should count is told from what was signed and from what counted before.
 */
contract SignedHandler is Handler {
    enum Kind {
        MANDATE,
        KEY,
        PAUSE,
        LISTING
    }

    struct Act {
        Kind kind;
        uint256 agent;
        address signer;
        uint32 epoch;
        uint48 deadline;
        /// @dev The agent's of the time it was signed in; of a listing one of its own.
        uint256 nonce;
        /// @dev How often a listing had been changed when its text was signed.
        uint256 change;
        /// @dev A key, whether to pause, or an asset; until when a key counts.
        uint256 what;
        uint48 until;
        bytes signature;
    }

    bytes32 private constant DOMAIN =
        keccak256("EIP712Domain(string name,string version,uint256 chainId,address verifyingContract)");
    string private constant TERMS =
        "Terms(bytes32 mandateHash,uint48 validAfter,uint48 expiry,uint8 sides,bool allowlistOnly,uint256 categories)";
    string private constant TOKEN_CAP =
        "TokenCap(address token,uint128 perDeal,uint128 dayCap,uint128 weekCap,uint128 monthCap,uint128 totalCap,uint128 minPrice)";
    string private constant SET_MANDATE =
        "SetMandate(uint256 agentId,Terms terms,TokenCap[] caps,address[] allow,address[] deny,uint32 epoch,uint256 nonce,uint48 deadline)";
    string private constant BEFORE = "market.test wants you to sign in with your Ethereum account:\n0xA1\n\n";

    Act[] private acts;
    mapping(Kind => uint256) public relayed;
    mapping(Kind => uint256) public turnedAway;

    // What may happen besides

    function sign(uint8 a, uint8 kind, uint8 who, uint64 dice) external {
        _at();
        Kind k = Kind(kind % 4);
        if (k == Kind.LISTING && lots.length == 0) return;
        uint256 what = k == Kind.KEY
            ? uint160(_freshKey(dice % 3))
            : k == Kind.PAUSE ? (dice % 8 == 0 ? 1 : 0) : k == Kind.LISTING ? lots[dice % lots.length] : 0;
        // Mostly the owner, whose word is taken at once; else anybody, and whoever has it may bring it later.
        (uint256 pk, bool known) = _walletOf(a % 2);
        if (who % 6 == 0 || !known) pk = who % 12 == 0 ? keyPks[who % 3] : 0xA1 + who % 3;
        _sign(k, a % 2, pk, what, uint48(block.timestamp + (dice % 5 == 0 ? dice % 3 days : 10 minutes)));
        if (dice % 4 != 0) _relay(acts.length - 1);
    }

    function relay(uint8 i) external {
        if (acts.length == 0) return;
        _at();
        uint256 back = i % 3 == 0 ? 0 : i % 8;
        _relay(back < acts.length ? acts.length - 1 - back : i % acts.length);
    }

    // Inside

    /// @dev Every other asset goes by the text.
    function _list(uint256 a, uint256 tokenId) internal override {
        (uint256 pk, bool known) = _walletOf(a);
        if (tokenId % 2 == 0 || !known) return super._list(a, tokenId);
        _sign(Kind.LISTING, a, pk, tokenId, uint48(block.timestamp));
        _relay(acts.length - 1);
    }

    function _walletOf(uint256 a) private view returns (uint256 pk, bool known) {
        address owner = nft.ownerOf(agents[a].id);
        for (uint256 i; i < 3; ++i) {
            if (owners[i] == owner) return (0xA1 + i, true);
        }
    }

    function _sign(Kind kind, uint256 a, uint256 pk, uint256 what, uint48 deadline) private {
        uint256 id = agents[a].id;
        Act memory x = Act(kind, a, vm.addr(pk), nft.epochOf(id), deadline, counted[a], 0, what, 0, "");
        if (kind == Kind.KEY) x.until = uint48(block.timestamp + 90 days);
        if (kind == Kind.LISTING) (x.nonce, x.change) = (++counter, changes[a][x.epoch][what]);
        bytes32 digest = kind == Kind.LISTING
            ? MessageHashUtils.toEthSignedMessageHash(bytes(string.concat(BEFORE, _line(x), _rest(x))))
            : keccak256(abi.encodePacked("\x19\x01", _domain(), _hash(x)));
        x.signature = sign(pk, digest);
        acts.push(x);
    }

    function _relay(uint256 i) private {
        Act memory x = acts[i];
        uint256 id = agents[x.agent].id;
        bool fresh = x.kind == Kind.LISTING
            ? x.change == changes[x.agent][x.epoch][x.what]
            : x.nonce == counted[x.agent] && !(x.kind == Kind.KEY && revoked[x.agent][address(uint160(x.what))]);
        bool counts = fresh && x.signer == nft.ownerOf(id) && x.epoch == nft.epochOf(id) && block.timestamp <= x.deadline;
        vm.prank(i % 2 == 0 ? SHOP : GUARDIAN);
        (bool taken,) = address(policy).call(_call(x, id));
        if (taken && !counts) broken = "a signature counted that should not";
        if (!taken && counts) broken = "an owner's signature did not count";
        if (!taken) {
            turnedAway[x.kind]++;
            return;
        }
        relayed[x.kind]++;
        if (x.kind != Kind.LISTING) counted[x.agent]++;
        if (x.kind == Kind.MANDATE) mandateSigned[x.agent] = true;
        if (x.kind == Kind.KEY) _granted(x.agent, address(uint160(x.what)), x.until);
        if (x.kind == Kind.PAUSE) paused[x.agent] = x.what == 1;
        if (x.kind == Kind.LISTING) _listed(x.agent, x.what, true);
    }

    function _call(Act memory x, uint256 id) private view returns (bytes memory) {
        if (x.kind == Kind.MANDATE) {
            return abi.encodeCall(
                policy.setMandateBySig,
                (id, terms(BUY | SELL), capsOf(), none(), none(), x.deadline, x.signature)
            );
        }
        if (x.kind == Kind.KEY) {
            return abi.encodeCall(
                policy.grantKeyBySig, (id, address(uint160(x.what)), x.until, x.deadline, x.signature)
            );
        }
        if (x.kind == Kind.PAUSE) {
            return abi.encodeCall(policy.setPausedBySig, (id, x.what == 1, x.deadline, x.signature));
        }
        return abi.encodeCall(
            policy.listByMessage,
            (lotOf(agents[x.agent], address(assets), x.what, 1), x.deadline, BEFORE, _rest(x), x.signature)
        );
    }

    function _line(Act memory x) private view returns (string memory) {
        return policy.listingLine(lotOf(agents[x.agent], address(assets), x.what, 1), x.deadline);
    }

    /// @dev Two texts are never the same, as two of a wallet's are not.
    function _rest(Act memory x) private pure returns (string memory) {
        return string.concat("\n\nNonce: ", string(abi.encodePacked(x.nonce)));
    }

    function _domain() private view returns (bytes32) {
        return keccak256(
            abi.encode(DOMAIN, keccak256("SafeHandshakeSpendPolicy"), keccak256("1"), block.chainid, address(policy))
        );
    }

    function _hash(Act memory x) private view returns (bytes32) {
        uint256 id = agents[x.agent].id;
        bytes memory content;
        if (x.kind == Kind.MANDATE) {
            ISpendPolicy.TokenCap[] memory c = capsOf();
            bytes32 cap = keccak256(abi.encode(keccak256(bytes(TOKEN_CAP)), c[0]));
            content = abi.encode(
                keccak256(bytes(string.concat(SET_MANDATE, TERMS, TOKEN_CAP))),
                id,
                keccak256(abi.encode(keccak256(bytes(TERMS)), terms(BUY | SELL))),
                keccak256(abi.encodePacked(cap)),
                keccak256(""),
                keccak256("")
            );
        } else if (x.kind == Kind.KEY) {
            content = abi.encode(
                keccak256(
                    "GrantKey(uint256 agentId,address key,uint48 validUntil,uint32 epoch,uint256 nonce,uint48 deadline)"
                ),
                id,
                x.what,
                x.until
            );
        } else {
            content = abi.encode(
                keccak256("SetPaused(uint256 agentId,bool paused,uint32 epoch,uint256 nonce,uint48 deadline)"),
                id,
                x.what
            );
        }
        return keccak256(bytes.concat(content, abi.encode(x.epoch, x.nonce, x.deadline)));
    }
}
