// What people really choose: words, names, walks over the keyboard and runs of digits, alone or with the usual ornaments. The lists
// are short; together with the endings below they make some ten thousand passwords.

const words = `
abc abcabc abcd abcdef abcdefg abcdefgh access account admin administrator adobe airplane alexander alphabet amanda america andrew
angel angels animal anthony apple april arsenal asdf asdfasdf asdfgh asdfghjk asdfghjkl ashley august austin autumn babygirl badger
bailey banana bandit barcelona baseball basketball batman beautiful benjamin bigdog birthday blessed blink bond boston brandon
brittany buster butterfly camaro canada captain carlos change changeme charlie cheese chelsea chester chicago chicken chocolate
chris christian christmas christopher coffee company computer cookie cooper corvette cowboy cowboys crystal daddy dallas daniel
database december default demo demouser diamond dolphin dragon eagle eagles edward electric elephant elizabeth engineer england
enter everton facebook factory falcon family february ferrari fishing flower football forever freedom friday friend friends fucker
gandalf garden gateway george ginger girls goldfish golf google guest guitar hacker hammer hannah happy harley heather hello
helloworld hockey holiday homer horse hottie hunter iloveyou internet iphone jackson january jasmine jasper jennifer jessica jesus
johnny jordan jordan joseph joshua july june junior justin killer king kitten knight ladybug lauren letmein liberty linkedin
liverpool login london lorenzo love lovely lover loveme loveyou lucky machine madison maggie magic mailbox manager marina mario
market martin master matrix matthew maverick melissa mercedes merlin michael michelle mickey midnight miller minecraft monday
money monitor monkey monster morgan mother motor mountain mustang mynoob nathan naruto newpass newpassword newyork nicholas nicole
ninja nothing november october office oliver orange orlando pa55word packers panther parker pass passcode passme passpass passphrase
passw0rd passwd password passwords patrick peanut pepper phoenix picture please pokemon police pookie popcorn power prince
princess private purple qazwsx qazwsxedc qwer qwert qwerty qwertyu qwertyui qwertyuiop rabbit rachel raiders rainbow ranger
rebecca remember richard robert rocket root royal runner samantha samsung saturday school scooter scorpion secret secure security
sensor september server service shadow shannon silver skywalker smokey snoopy soccer sophie spider spiderman spring starwars station
steelers stephen steven student success summer sunday sunshine superman support sweet sydney system taylor teacher tech temp
temporary tennis test tester testing testtest thanks thomas thunder thursday tiger tigger tinkerbell tomorrow tool travis trinity
trouble trustme trustno tuesday turtle universal unknown user username vanessa victoria viking wednesday welcome whatever william
winner winter wizard wolf woodstock work yankees yellow zaq zaqwsx zxcv zxcvb zxcvbn zxcvbnm
`
  .trim()
  .split(/\s+/);

const keyboardWalks = [
  "1q2w3e4r",
  "1q2w3e4r5t",
  "1q2w3e4r5t6y",
  "1qaz2wsx",
  "1qaz2wsx3edc",
  "1qazxsw2",
  "q1w2e3r4",
  "q1w2e3r4t5",
  "zaq12wsx",
  "zaq1zaq1",
  "qwe123qwe",
  "asd123asd",
  "123qweasd",
  "123qweasdzxc",
  "qweasdzxc",
  "asdfqwer",
  "qwerasdf",
  "a1b2c3d4",
  "a1b2c3d4e5",
  "1a2b3c4d",
  "1234qwer",
  "12qwaszx",
];

const endings = [
  "",
  "1",
  "12",
  "123",
  "1234",
  "12345",
  "123456",
  "01",
  "007",
  "69",
  "99",
  "2000",
  "2020",
  "2021",
  "2022",
  "2023",
  "2024",
  "2025",
  "2026",
  "!",
  "1!",
  "123!",
  ".",
];

function* generate(): Generator<string> {
  for (const word of words) {
    for (const ending of endings) yield word + ending;
    yield word + word;
    yield `1${word}`;
    yield `123${word}`;
  }
  yield* keyboardWalks;
  for (const run of ["0123456789", "1234567890", "9876543210", "0987654321", "abcdefghijklmnopqrstuvwxyz"]) {
    const twice = run + run;
    for (let length = 8; length <= 20; length++) for (let start = 0; start < 10; start++) yield twice.slice(start, start + length);
  }
  for (let length = 8; length <= 16; length++) {
    for (const char of "0123456789abcdefghijklmnopqrstuvwxyz.-_!#") yield char.repeat(length);
    for (const pair of ["12", "21", "123", "121", "112233", "1122", "ab", "abc", "qwe", "asd", "69", "10", "007"])
      yield pair.repeat(length).slice(0, length);
  }
  // Dates as people write them: year first or last.
  for (let year = 1950; year <= 2030; year++) for (const day of ["0101", "1231", "1225", "0704"]) yield* [`${year}${day}`, `${day}${year}`];
}

let list: ReadonlySet<string> | undefined;

/** Common passwords of at least 8 characters, in small letters. */
export function commonPasswords(): ReadonlySet<string> {
  list ??= new Set([...generate()].filter((password) => password.length >= 8));
  return list;
}

const replaced: Record<string, string> = { "0": "o", "1": "i", "3": "e", "4": "a", "5": "s", "7": "t", "!": "i" };

/** Whether a password is a common one, also in capitals, with `0` for `o` and the like, and with other ornaments at its ends. */
export function isCommonPassword(password: string): boolean {
  const small = password.toLowerCase();
  const bare = small.replaceAll(/^[^a-z]+|[^a-z]+$/g, "");
  const plain = (text: string) => text.replaceAll(/[013457!]/g, (char) => replaced[char] ?? char);
  const candidates = [small, plain(small), ...(bare.length >= 4 ? [plain(bare)] : [])];
  return candidates.some((candidate) => commonPasswords().has(candidate)) || (bare.length >= 4 && isCommonWord(plain(bare)));
}

const known = new Set(words);
const isCommonWord = (text: string): boolean => known.has(text);
