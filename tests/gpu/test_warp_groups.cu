// Values on their way through a warp, votes, and groups of lanes with equal keys.
#include "collectives.h"
#include "values.h"

namespace {

using namespace gpu_test;

struct Three {
  uint8_t byte[3];
};
struct Five {
  uint32_t word[5];
};

template <class T>
T random_state(Random& random) {
  T state;
  for (size_t i = 0; i < sizeof state; ++i)
    reinterpret_cast<unsigned char*>(&state)[i] = static_cast<uint8_t>(random());
  return state;
}

template <class T>
void check_shuffles() {
  using Body = Shuffles<T>;
  const auto fill = [](Random& random, const Case& c, WithLane<T>* in) {
    const uint32_t lanes = static_cast<uint32_t>(random() % c.width);
    for (int i = 0; i < 32; ++i) in[i] = {random_state<T>(random), lanes};
  };
  check<Body>(
      fill,
      [](const Group& group, const WithLane<T>* in, unsigned lane) -> std::optional<typename Body::Output> {
        const unsigned n = in[lane].lane, place = lane - group.start;
        return typename Body::Output{in[group.start + (place ^ n)].value,
                                     in[place + n < group.width ? lane + n : lane].value,
                                     in[place >= n ? lane - n : lane].value};
      },
      kWholeTiles);
}

// Each lane may ask for another one, of those that come.
template <class T>
void check_shuffle_from() {
  check<ShuffleFrom<T>>(
      [](Random& random, const Case& c, WithLane<T>* in) {
        for (unsigned i = 0; i < 32; ++i) {
          const Group group = group_of(c, i);
          if (group.lanes.empty()) continue;
          in[i] = {random_state<T>(random), group.lanes[random() % group.lanes.size()] - group.start};
        }
      },
      [](const Group& group, const WithLane<T>* in, unsigned lane) -> std::optional<T> {
        return in[group.start + in[lane].lane].value;
      });
}

TEST(Warp, Shuffles) {
  check_shuffles<uint32_t>();
  check_shuffles<double>();
  check_shuffles<Three>();
  check_shuffles<Five>();
  check_shuffle_from<uint32_t>();
  check_shuffle_from<double>();
  check_shuffle_from<Three>();
  check_shuffle_from<Five>();
}

template <class T>
void check_broadcast() {
  check<Broadcast<T>>(
      [](Random& random, const Case& c, WithLane<T>* in) {
        const uint64_t pick = random();
        for (unsigned i = 0; i < 32; ++i) {
          const Group group = group_of(c, i);
          if (group.lanes.empty()) continue;
          in[i] = {random_state<T>(random), group.lanes[pick % group.lanes.size()] - group.start};
        }
      },
      [](const Group& group, const WithLane<T>* in, unsigned lane) -> std::optional<T> {
        return in[group.start + in[lane].lane].value;
      });
}

TEST(Warp, Broadcasts) {
  check_broadcast<uint8_t>();
  check_broadcast<float>();
  check_broadcast<uint64_t>();
  check_broadcast<Five>();
}

template <bool kMax, class T>
void check_best() {
  using Body = BroadcastBest<kMax, T>;
  check<Body>(
      [](Random& random, const Case&, T* in) {
        const Values values = random_values(random);
        for (int i = 0; i < 32; ++i) in[i] = random_value<T>(random, values);
      },
      [](const Group& group, const T* in, unsigned) -> std::optional<typename Body::Output> {
        const unsigned best = best_lane(in, group.lanes, kMax);
        return typename Body::Output{std::bit_cast<Bits<sizeof(T)>>(in[best]), best - group.start};
      });
}

TEST(Warp, BroadcastsTheBestAndItsLane) {
  check_best<true, int32_t>();
  check_best<false, int32_t>();
  check_best<true, uint32_t>();
  check_best<false, uint32_t>();
  check_best<true, int64_t>();
  check_best<false, int64_t>();
  check_best<true, uint64_t>();
  check_best<false, uint64_t>();
  check_best<true, float>();
  check_best<false, float>();
  check_best<true, double>();
  check_best<false, double>();
  check_best<true, f16>();
  check_best<false, bf16>();
  check_best<true, boolean>();
  check_best<false, int8_t>();
}

TEST(Warp, Votes) {
  check<Votes>(
      [](Random& random, const Case&, uint32_t* in) {
        const uint64_t kind = random() % 5;  // none, all, half, few, most
        for (int i = 0; i < 32; ++i) {
          const bool few = random() % 16 == 0, half = random() % 2 == 0;
          in[i] = kind == 0 ? 0 : kind == 1 ? 1 : kind == 2 ? half : kind == 3 ? few : !few;
        }
      },
      [](const Group& group, const uint32_t* in, unsigned lane) -> std::optional<Votes::Output> {
        Votes::Output votes{0, 1, 0, group.width, 0, 0};
        for (const unsigned i : group.lanes) {
          if (in[i] == 0) {
            votes.all = 0;
            continue;
          }
          if (votes.any == 0) votes.first = i - group.start;
          votes.any = 1;
          ++votes.count;
          votes.rank += i < lane;
          votes.lanes |= 1u << i;
        }
        return votes;
      });
}

template <class Key>
void check_match() {
  using Body = Match<Key>;
  check<Body>(
      [](Random& random, const Case&, Key* in) {
        const Values values = random_values(random);
        const bool equal = random() % 4 == 0, all_but_one = equal && random() % 2 == 0;
        for (int i = 0; i < 32; ++i) in[i] = equal && i > 0 ? in[0] : random_value<Key>(random, values);
        if (all_but_one) in[random() % 32] = random_value<Key>(random, values);
      },
      [](const Group& tile, const Key* in, unsigned lane) -> std::optional<typename Body::Output> {
        Group peers{tile.width, tile.start, {}};
        std::vector<uint32_t> numbers;
        uint32_t sum = 0;
        for (const unsigned i : tile.lanes) {
          if (std::memcmp(&in[i], &in[lane], sizeof(Key)) != 0) continue;
          peers.lanes.push_back(i);
          numbers.push_back(i + 1);
          sum += i + 1;
        }
        const unsigned leader = peers.lanes[0];
        return typename Body::Output{peers.mask(),
                                     peers.mask(),
                                     static_cast<uint32_t>(peers.lanes.size()),
                                     peers.rank(lane),
                                     leader - tile.start,
                                     lane == leader,
                                     peers.lanes.size() == tile.lanes.size(),
                                     sum,
                                     fold_in_order<Tree>(numbers),
                                     leader + 1};
      });
}

TEST(Warp, MatchesEqualKeys) {
  check_match<uint32_t>();
  check_match<int32_t>();
  check_match<uint64_t>();
  check_match<int64_t>();
  check_match<float>();
  check_match<double>();
  check_match<f16>();
  check_match<uint8_t>();
}

}  // namespace
