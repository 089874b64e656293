// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {AgentAccount} from "../../AgentAccount.sol";
import {AssetListings} from "../../AssetListings.sol";
import {Settlement} from "../../Settlement.sol";
import {IERC6551Executable} from "../../interfaces/IERC6551.sol";
import {ISpendPolicy} from "../../interfaces/ISpendPolicy.sol";
import {SpendHistory} from "../../libraries/SpendHistory.sol";
import {Base} from "../Base.sol";

/**
 * @dev Lets two agents live at random: keys come and go, the agents change hands, time passes, money moves by every
 * door. What happened is written down here, and judged from that alone, never from the policy's own state.
 */
abstract contract Handler is Base {
    uint128 internal constant PER_DEAL = 50e6;
    uint128 internal constant DAY = 100e6;
    uint128 internal constant WEEK = 180e6;
    uint128 internal constant MONTH = 240e6;
    uint128 internal constant TOTAL = 200e6;
    uint128 internal constant FLOOR = 1e6;
    address internal constant SPENDER = address(0xE11);

    struct Debit {
        uint256 time;
        uint256 amount;
        uint32 version;
    }

    struct Authorised {
        uint8 agent;
        address key;
        uint256 amount;
        uint256 validBefore;
        bytes32 nonce;
        bytes signature;
        uint64 stamp;
        bool collected;
    }

    struct Quote {
        uint256 time;
        uint256 balance;
    }

    Party[2] internal agents;
    address[3] internal owners = [vm.addr(0xA1), vm.addr(0xA2), vm.addr(0xA3)];
    uint256[3] internal keyPks = [uint256(0xB1), 0xB2, 0xB3];
    mapping(address key => uint256) internal pkOf;
    uint256 internal now_ = START;
    uint256 internal counter;

    mapping(uint256 agent => Debit[]) internal debits;
    /// @dev How often its owners acted, by what they sent or signed. Each act voids what was signed before.
    mapping(uint256 agent => uint256) internal counted;
    mapping(uint256 agent => mapping(address key => bool)) internal revoked;
    mapping(uint256 agent => mapping(address key => uint32)) internal grantedIn;
    mapping(uint256 agent => mapping(address key => uint256)) internal grantedUntil;
    mapping(uint256 agent => address) internal newestKey;
    mapping(uint256 agent => bool) internal paused; // by its owner
    mapping(uint256 agent => uint256) internal stoppedUntil; // by the guardian, one agent
    mapping(uint256 agent => uint256) internal expected; // balance
    mapping(uint256 agent => uint256) internal booked;
    Authorised[] internal authorised;
    uint256[] internal lots;
    mapping(uint256 tokenId => address) internal holders;
    mapping(uint256 agent => mapping(uint256 tokenId => uint32)) internal listedIn; // epoch; zero: not listed
    /// @dev Agents whose mandate, and assets whose listing, came by the owner's signature and not by the owner's call.
    mapping(uint256 agent => bool) internal mandateSigned;
    mapping(uint256 agent => mapping(uint256 tokenId => bool)) internal listingSigned;
    /// @dev How often a listing was changed in an epoch: what was signed before a change is void.
    mapping(uint256 agent => mapping(uint32 epoch => mapping(uint256 tokenId => uint256))) internal changes;
    mapping(bool signed => mapping(bytes4 refusal => uint256)) public refusals;
    mapping(uint256 agent => mapping(uint256 state => Quote)) internal quotes;
    uint256 public minted;
    string public broken;
    mapping(bool listingSigned => uint256) public deals;
    mapping(bool mandateSigned => uint256) public spends;
    uint256 public collections;

    constructor() {
        deploy();
        for (uint256 i; i < 2; ++i) {
            Party memory p = party(0xA1 + i, terms(BUY | SELL), capsOf());
            agents[i] = p;
            expected[i] = 1_000e6;
            minted += 1_000e6;
            _grant(i, i, FAR);
        }
    }

    // What may happen

    function wait(uint32 gap) external {
        now_ += gap % 4 == 0 ? gap % 20 days : gap % 4 == 1 ? gap % 30 hours : gap % 15 minutes;
    }

    function deposit(uint8 a, uint64 amount) external {
        usdc.mint(address(_agent(a).account), amount);
        minted += amount;
        expected[a % 2] += amount;
    }

    function newMandate(uint8 a, uint8 dice) external {
        if (dice % 8 != 0) return;
        _at();
        uint256 id = _agent(a).id;
        bytes memory call = abi.encodeCall(policy.setMandate, (id, terms(BUY | SELL), capsOf(), none(), none()));
        if (!_ownerCall(nft.ownerOf(id), address(policy), call)) return;
        ++counted[a % 2];
        mandateSigned[a % 2] = false;
    }

    function grant(uint8 a, uint8 k, uint32 ttl) external {
        _at();
        _grant(a % 2, k % 3, uint48(block.timestamp + (ttl % 4 == 0 ? ttl % 2 days : 90 days)));
    }

    function revoke(uint8 a, uint8 k, uint8 dice) external {
        if (dice % 4 != 0) return;
        _at();
        address key = vm.addr(keyPks[k % 3]);
        vm.prank(dice % 8 == 0 ? key : GUARDIAN);
        policy.revokeKey(agents[a % 2].id, key);
        (grantedIn[a % 2][key], revoked[a % 2][key]) = (0, true);
    }

    function pause(uint8 a, uint8 dice) external {
        if (dice % 3 != 0) return;
        _at();
        bool guardian = dice % 2 == 0;
        bool on = dice % 16 < 2;
        address by = guardian ? GUARDIAN : nft.ownerOf(_agent(a).id);
        uint256 id = agents[a % 2].id;
        uint256 last = policy.guardianPauseOf(id);
        vm.prank(by);
        (bool done,) = address(policy).call(abi.encodeCall(policy.setPaused, (id, on)));
        bool cooling = guardian && on && last != 0 && block.timestamp < last + 7 days;
        if (done == cooling) broken = "a pause that should not be, or none that should";
        if (!done) return;
        if (!guardian) (paused[a % 2], counted[a % 2]) = (on, counted[a % 2] + 1);
        else if (on) stoppedUntil[a % 2] = block.timestamp + 72 hours;
        else if (block.timestamp < stoppedUntil[a % 2]) stoppedUntil[a % 2] = block.timestamp;
    }

    function sellAgent(uint8 a, uint8 to, uint8 dice) external {
        if (dice % 12 > 1) return;
        _at();
        uint256 id = _agent(a).id;
        address holder = nft.ownerOf(id);
        // Sometimes to the other agent's account or its own: rings must be refused.
        address target = dice % 2 == 0 ? owners[to % 3] : address(_agent(to).account);
        // The former owner's pause ends with the sale, the guardian's does not.
        if (_ownerCall(holder, address(nft), abi.encodeCall(nft.transferFrom, (holder, target, id)))) {
            paused[a % 2] = false;
        }
    }

    function spendSome(uint8 a, uint8 k, uint64 amount) public {
        _at();
        Party memory p = _agent(a);
        (address key,) = _key(a, k);
        uint256 sum = amount % 8 == 0 ? PER_DEAL : amount % (PER_DEAL + 2);
        vm.prank(key);
        try p.account.spend(address(usdc), SHOP, sum, "") {
            _debit(a, key, sum);
            expected[a % 2] -= sum;
            spends[mandateSigned[a % 2]]++;
        } catch (bytes memory refusal) {
            _refused(refusal);
        }
    }

    function spendAllThatIsLeft(uint8 a, uint8 k) external {
        _at();
        Party memory p = _agent(a);
        uint256 left = policy.remaining(p.id, address(usdc)).spendable;
        (address key,) = _key(a, k);
        vm.prank(key);
        try p.account.spend(address(usdc), SHOP, left, "") {
            _debit(a, key, left);
            expected[a % 2] -= left;
            spends[mandateSigned[a % 2]]++;
        } catch {}
        vm.prank(key);
        try p.account.spend(address(usdc), SHOP, left + 1, "") {
            if (left != 0) broken = "spent more than was left";
            _debit(a, key, left + 1);
            expected[a % 2] -= left + 1;
        } catch (bytes memory refusal) {
            _refused(refusal);
        }
    }

    function authorise(uint8 a, uint8 k, uint64 amount, uint16 ttl) external {
        _at();
        Party memory p = _agent(a);
        (address key, uint256 pk) = _key(a, k);
        uint256 sum = amount % 20e6;
        uint256 validBefore = block.timestamp + ttl % 4_000;
        bytes32 nonce = bytes32(++counter);
        vm.prank(key);
        try p.account.authorizePayment(address(usdc), SHOP, sum, 0, validBefore, nonce, "") returns (bytes32 digest) {
            _debit(a, key, sum);
            bytes memory signature = abi.encodePacked(key, sign(pk, digest));
            authorised.push(Authorised(a % 2, key, sum, validBefore, nonce, signature, policy.stampOf(p.id), false));
        } catch {}
    }

    function collect(uint8 i) external {
        if (authorised.length == 0) return;
        _at();
        Authorised storage x = authorised[i % 2 == 0 ? authorised.length - 1 : i % authorised.length];
        Party memory p = agents[x.agent];
        try usdc.transferWithAuthorization(address(p.account), SHOP, x.amount, 0, x.validBefore, x.nonce, x.signature) {
            if (x.collected) broken = "collected twice";
            if (x.stamp != policy.stampOf(p.id)) broken = "collected after a sale or a new mandate";
            _checkKey(x.agent, x.key);
            x.collected = true;
            expected[x.agent] -= x.amount;
            collections++;
        } catch {}
    }

    /// @dev Mostly a new asset that its owner lists; sometimes one that is not listed, was sold, or lies elsewhere.
    function trade(uint8 a, uint8 ks, uint8 kb, uint64 price, uint8 dice) external {
        _at();
        (alice, bob) = (_agent(a), _agent(a + 1));
        uint256 tokenId = _lot(dice);
        if (dice % 4 != 0) _list(a % 2, tokenId);
        Settlement.Deal memory d = Settlement.Deal({
            dealId: bytes32(++counter),
            seller: address(alice.account),
            buyer: address(bob.account),
            asset: address(assets),
            tokenId: tokenId,
            token: address(usdc),
            price: uint128(price % (price % 4 == 0 ? PER_DEAL + 2 : price % 4 == 1 ? 2 * FLOOR : 9e6)),
            category: RWA,
            deadline: uint48(block.timestamp),
            state: 0
        });
        (alice.key, alice.keyPk) = _key(a, ks);
        (bob.key, bob.keyPk) = _key(a + 1, kb);
        uint256[3] memory before = _money();
        (bytes memory s, bytes memory b) = signatures(d);
        bool settled;
        try settlement.settle(d, alice.key, s, bob.key, b) {
            settled = true;
        } catch (bytes memory refusal) {
            _refused(refusal);
        }
        _checkDeal(d, a, settled, before);
    }

    function list(uint8 a, uint8 i) external {
        if (lots.length == 0) return;
        _at();
        _list(a % 2, lots[i % lots.length]);
    }

    function unlist(uint8 a, uint8 i, uint8 dice) external {
        if (lots.length == 0 || dice % 3 != 0) return;
        _at();
        uint256 tokenId = lots[i % lots.length];
        uint256 id = agents[a % 2].id;
        address by = dice % 2 == 0 ? GUARDIAN : nft.ownerOf(id);
        vm.prank(by);
        policy.delist(id, address(assets), tokenId);
        if (by != GUARDIAN) ++counted[a % 2];
        ++changes[a % 2][nft.epochOf(id)][tokenId];
        listedIn[a % 2][tokenId] = 0;
    }

    function tryToListForOthers(uint8 a, uint8 i, uint8 who) external {
        if (lots.length == 0) return;
        _at();
        uint256 id = agents[a % 2].id;
        address[4] memory strangers = [GUARDIAN, newestKey[a % 2], address(agents[a % 2].account), owners[who % 3]];
        address stranger = strangers[who % 4];
        if (stranger == nft.ownerOf(id)) return;
        AssetListings.Lot memory lot = lotOf(agents[a % 2], address(assets), lots[i % lots.length], 1);
        vm.prank(stranger);
        try policy.list(lot) {
            broken = "a stranger listed an asset";
        } catch {}
    }

    function withdraw(uint8 a, uint64 amount) external {
        _at();
        Party memory p = _agent(a);
        uint256 sum = usdc.balanceOf(address(p.account)) * (amount % 100) / 800;
        address human = _human(p.id);
        bytes memory call = abi.encodeCall(usdc.transfer, (human, sum));
        if (!_accountCall(p.account, address(usdc), call)) broken = "the owner could not withdraw";
        else expected[a % 2] -= sum;
    }

    function tryAllowance(uint8 a, uint8 which) external {
        _at();
        bytes4[3] memory selectors = [usdc.approve.selector, bytes4(0x39509351), bytes4(0xa22cb465)];
        _accountCall(_agent(a).account, address(usdc), abi.encodeWithSelector(selectors[which % 3], SPENDER, 1e18));
    }

    function tryTheDoorsOfOthers(uint8 a, uint8 k, uint64 amount) external {
        _at();
        Party memory p = _agent(a);
        address who = k % 2 == 0 ? vm.addr(keyPks[k % 3]) : owners[k % 3];
        if (who == nft.ownerOf(p.id)) return;
        bytes memory take = abi.encodeCall(usdc.transfer, (who, amount % 1_000));
        vm.prank(who);
        try p.account.execute(address(usdc), 0, take, 0) {
            broken = "a stranger passed the owner's door";
        } catch {}
    }

    // What must hold, told from the notes

    function capsHold() external view returns (bool) {
        for (uint256 a; a < 2; ++a) {
            Debit[] memory all = debits[a];
            for (uint256 i; i < all.length; ++i) {
                (uint256 day, uint256 week, uint256 month, uint256 total) = (0, 0, 0, 0);
                for (uint256 j; j <= i; ++j) {
                    if (all[j].time + 1 days > all[i].time) day += all[j].amount;
                    if (all[j].time + 7 days > all[i].time) week += all[j].amount;
                    if (SpendHistory.nextMonth(all[j].time) == SpendHistory.nextMonth(all[i].time)) {
                        month += all[j].amount;
                    }
                    if (all[j].version == all[i].version) total += all[j].amount;
                }
                if (all[i].amount > PER_DEAL || day > DAY || week > WEEK || month > MONTH || total > TOTAL) {
                    return false;
                }
            }
        }
        return true;
    }

    function booksBalance() external view returns (bool) {
        for (uint256 a; a < 2; ++a) {
            if (usdc.balanceOf(address(agents[a].account)) != expected[a]) return false;
            if (policy.spentTotal(agents[a].id, address(usdc)) != booked[a]) return false;
        }
        return usdc.totalSupply() == minted;
    }

    /// @dev Every asset lies where the deals have left it, and is listed as its agents' owners left it.
    function assetsStay() external view returns (bool) {
        for (uint256 i; i < lots.length; ++i) {
            if (assets.ownerOf(lots[i]) != holders[lots[i]]) return false;
            for (uint256 a; a < 2; ++a) {
                bool listed = _isListed(a, lots[i]);
                if (isListed(agents[a].id, address(assets), lots[i]) != listed) return false;
            }
        }
        return true;
    }

    function noAllowance() external view returns (bool) {
        for (uint256 a; a < 2; ++a) {
            address account = address(agents[a].account);
            if (usdc.allowance(account, SPENDER) != 0 || usdc.allowance(account, SHOP) != 0) return false;
            if (assets.isApprovedForAll(account, SPENDER)) return false;
        }
        return true;
    }

    function noRing() external view returns (bool) {
        for (uint256 a; a < 2; ++a) {
            address holder = nft.ownerOf(agents[a].id);
            for (uint256 i; holder.code.length != 0; ++i) {
                if (i == 2) return false;
                (,, uint256 id) = AgentAccount(payable(holder)).token();
                holder = nft.ownerOf(id);
            }
        }
        return true;
    }

    // Inside

    function capsOf() internal view returns (ISpendPolicy.TokenCap[] memory) {
        return caps(PER_DEAL, DAY, WEEK, MONTH, TOTAL, FLOOR);
    }

    function _at() internal {
        vm.warp(now_);
        for (uint256 a; a < 2; ++a) {
            _quote(a);
        }
    }

    /// @dev Who would buy the agent at a state that was told earlier gets no less than lay there then.
    function _quote(uint256 a) private {
        AgentAccount account = agents[a].account;
        uint256 balance = usdc.balanceOf(address(account));
        // While bookings are open, and while it holds agents, it is quoted to nobody.
        (bool quoted, bytes memory state) = address(account).staticcall(abi.encodeCall(account.state, ()));
        if (!quoted) return;
        Quote storage quote = quotes[a][abi.decode(state, (uint256))];
        if (quote.time != 0 && quote.time < block.timestamp && balance < quote.balance) {
            broken = "money left and the state did not move";
        }
        if (quote.time == 0 || quote.time < block.timestamp) (quote.time, quote.balance) = (block.timestamp, balance);
    }

    function _agent(uint256 a) private view returns (Party memory) {
        return agents[a % 2];
    }

    /// @dev Mostly the newest key, so that things do happen; sometimes any, dead ones too.
    function _key(uint256 a, uint8 k) private view returns (address key, uint256 pk) {
        if (k % 4 == 0) return (vm.addr(keyPks[k % 3]), keyPks[k % 3]);
        key = newestKey[a % 2];
        pk = pkOf[key];
    }

    /// @dev A key is granted to an agent once: each grant brings a new one.
    function _freshKey(uint256 k) internal returns (address key) {
        keyPks[k] = uint256(keccak256(abi.encode("key", ++counter)));
        key = vm.addr(keyPks[k]);
        pkOf[key] = keyPks[k];
    }

    function _grant(uint256 a, uint256 k, uint48 until) private {
        uint256 id = agents[a].id;
        address key = _freshKey(k);
        address holder = nft.ownerOf(id);
        bytes memory call = abi.encodeCall(policy.grantKey, (id, key, until));
        if (!_ownerCall(holder, address(policy), call)) return;
        ++counted[a];
        _granted(a, key, until);
    }

    function _checkKey(uint256 a, address key) private {
        uint256 id = agents[a].id;
        if (paused[a] || block.timestamp < stoppedUntil[a]) broken = "a paused agent acted";
        if (grantedIn[a][key] == 0 || grantedIn[a][key] != nft.epochOf(id)) broken = "a dead key acted";
        if (block.timestamp >= grantedUntil[a][key]) broken = "a key acted after its time";
    }

    function _debit(uint256 a, address key, uint256 amount) private {
        _checkKey(a % 2, key);
        debits[a % 2].push(Debit(block.timestamp, amount, policy.mandates(agents[a % 2].id).version));
        booked[a % 2] += amount;
    }

    function _lot(uint8 dice) private returns (uint256 tokenId) {
        if (dice % 8 < 2 && lots.length != 0) return lots[dice / 8 % lots.length];
        address owner = nft.ownerOf(alice.id);
        bool fromWallet = dice % 3 == 0 && owner.code.length == 0;
        address holder = fromWallet ? owner : address(alice.account);
        tokenId = assets.mint(holder);
        lots.push(tokenId);
        holders[tokenId] = holder;
        if (!fromWallet) return tokenId;
        vm.prank(owner);
        assets.approve(address(settlement), tokenId);
    }

    function _list(uint256 a, uint256 tokenId) internal virtual {
        uint256 id = agents[a].id;
        bytes memory call = abi.encodeCall(policy.list, (lotOf(agents[a], address(assets), tokenId, 1)));
        if (!_ownerCall(nft.ownerOf(id), address(policy), call)) return;
        ++counted[a];
        _listed(a, tokenId, false);
    }

    function _listed(uint256 a, uint256 tokenId, bool signed) internal {
        listedIn[a][tokenId] = nft.epochOf(agents[a].id);
        ++changes[a][listedIn[a][tokenId]][tokenId];
        listingSigned[a][tokenId] = signed;
    }

    function _granted(uint256 a, address key, uint48 until) internal {
        grantedIn[a][key] = nft.epochOf(agents[a].id);
        grantedUntil[a][key] = until;
        newestKey[a] = key;
    }

    function _isListed(uint256 a, uint256 tokenId) private view returns (bool) {
        return listedIn[a][tokenId] != 0 && listedIn[a][tokenId] == nft.epochOf(agents[a].id);
    }

    /// @dev Every limit names the agent that it holds back first.
    function _refused(bytes memory refusal) private {
        uint256 id;
        assembly {
            id := mload(add(refusal, 36))
        }
        refusals[mandateSigned[id == agents[0].id ? 0 : 1]][bytes4(refusal)]++;
    }

    function _money() private view returns (uint256[3] memory) {
        return [usdc.balanceOf(address(alice.account)), usdc.balanceOf(address(bob.account)), usdc.balanceOf(TREASURY)];
    }

    function _checkDeal(Settlement.Deal memory d, uint256 a, bool settled, uint256[3] memory before) private {
        uint256[3] memory after_ = _money();
        bool delivered = assets.ownerOf(d.tokenId) != holders[d.tokenId];
        uint256 fee = uint256(d.price) * 2 / 100;
        if (delivered != settled || (settlement.settledAt(d.seller, d.buyer, d.dealId) != 0) != settled) broken = "half a deal";
        if (!settled) {
            if (keccak256(abi.encode(before)) != keccak256(abi.encode(after_))) broken = "money without a deal";
            return;
        }
        if (after_[0] != before[0] + d.price - fee || after_[1] != before[1] - d.price || after_[2] != before[2] + fee)
        {
            broken = "a deal paid wrongly";
        }
        _checkKey(a % 2, alice.key);
        if (!_isListed(a % 2, d.tokenId)) broken = "an asset was sold that was not listed";
        if (d.price < FLOOR) broken = "an asset was sold below the floor";
        ++changes[a % 2][listedIn[a % 2][d.tokenId]][d.tokenId];
        listedIn[a % 2][d.tokenId] = 0;
        holders[d.tokenId] = address(bob.account);
        _debit(a + 1, bob.key, d.price);
        expected[a % 2] += d.price - fee;
        expected[(a + 1) % 2] -= d.price;
        deals[listingSigned[a % 2][d.tokenId]]++;
    }

    /// @dev The wallet at the top of the agent's chain of owners.
    function _human(uint256 id) private view returns (address holder) {
        holder = nft.ownerOf(id);
        while (holder.code.length != 0) {
            (,, uint256 above) = AgentAccount(payable(holder)).token();
            holder = nft.ownerOf(above);
        }
    }

    /// @dev Calls as an owner, who may be another agent's account.
    function _ownerCall(address holder, address to, bytes memory data) private returns (bool success) {
        if (holder.code.length != 0) return _accountCall(AgentAccount(payable(holder)), to, data);
        vm.prank(holder);
        (success,) = to.call(data);
    }

    function _accountCall(AgentAccount account, address to, bytes memory data) private returns (bool) {
        return
            _ownerCall(account.owner(), address(account), abi.encodeCall(IERC6551Executable.execute, (to, 0, data, 0)));
    }
}
