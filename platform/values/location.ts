import { invalidLocationCode } from "./messages";

interface Location {
  readonly description: string;
  readonly at: readonly [number, number];
}

/**
 * Locations by hosting platform, in the order of the specification. The two platforms correspond to the two lists in
 * §4.5 (wire-facts 6).
 */
const PLATFORMS = {
  aws: {
    "aws-ap-northeast-1": { description: "AWS AP NorthEast (Tokyo)", at: [35.7, 139.7] },
    "aws-ap-south-1": { description: "AWS AP South (Mumbai)", at: [19.1, 72.9] },
    "aws-eu-west-1": { description: "AWS EU West (Ireland)", at: [53.3, -6.3] },
    "aws-us-east-1": { description: "AWS US East (Virginia)", at: [39, -77.5] },
    "aws-us-east-2": { description: "AWS US East (Ohio)", at: [40, -83] },
    "aws-us-west-2": { description: "AWS US West (Oregon)", at: [45.8, -119.7] },
  },
  fly: {
    ams: { description: "Amsterdam, Netherlands", at: [52.3, 4.8] },
    arn: { description: "Stockholm, Sweden", at: [59.7, 17.9] },
    atl: { description: "Atlanta, Georgia (US)", at: [33.6, -84.4] },
    bog: { description: "Bogotá, Colombia", at: [4.7, -74.1] },
    bom: { description: "Mumbai, India", at: [19.1, 72.9] },
    bos: { description: "Boston, Massachusetts (US)", at: [42.4, -71] },
    cdg: { description: "Paris, France", at: [49, 2.5] },
    den: { description: "Denver, Colorado (US)", at: [39.9, -104.7] },
    dfw: { description: "Dallas, Texas (US)", at: [32.9, -97] },
    ewr: { description: "Secaucus, New Jersey (US)", at: [40.7, -74.2] },
    eze: { description: "Ezeiza, Argentina", at: [-34.8, -58.5] },
    fra: { description: "Frankfurt, Germany", at: [50, 8.6] },
    gdl: { description: "Guadalajara, Mexico", at: [20.5, -103.3] },
    gig: { description: "Rio de Janeiro, Brazil", at: [-22.8, -43.2] },
    gru: { description: "São Paulo, Brazil", at: [-23.4, -46.5] },
    hkg: { description: "Hong Kong, Hong Kong", at: [22.3, 113.9] },
    iad: { description: "Ashburn, Virginia (US)", at: [38.9, -77.5] },
    jnb: { description: "Johannesburg, South Africa", at: [-26.1, 28.2] },
    lax: { description: "Los Angeles, California (US)", at: [33.9, -118.4] },
    lhr: { description: "London, United Kingdom", at: [51.5, -0.5] },
    mad: { description: "Madrid, Spain", at: [40.5, -3.6] },
    mia: { description: "Miami, Florida (US)", at: [25.8, -80.3] },
    nrt: { description: "Tokyo, Japan", at: [35.8, 140.4] },
    ord: { description: "Chicago, Illinois (US)", at: [42, -87.9] },
    otp: { description: "Bucharest, Romania", at: [44.6, 26.1] },
    phx: { description: "Phoenix, Arizona (US)", at: [33.4, -112] },
    qro: { description: "Querétaro, Mexico", at: [20.6, -100.2] },
    scl: { description: "Santiago, Chile", at: [-33.4, -70.8] },
    sea: { description: "Seattle, Washington (US)", at: [47.4, -122.3] },
    sin: { description: "Singapore, Singapore", at: [1.4, 104] },
    sjc: { description: "San Jose, California (US)", at: [37.4, -121.9] },
    syd: { description: "Sydney, Australia", at: [-33.9, 151.2] },
    waw: { description: "Warsaw, Poland", at: [52.2, 21] },
    yul: { description: "Montreal, Canada", at: [45.5, -73.7] },
    yyz: { description: "Toronto, Canada", at: [43.7, -79.6] },
  },
} as const satisfies Record<string, Readonly<Record<string, Location>>>;

export type Platform = keyof typeof PLATFORMS;

const platforms: Readonly<Record<Platform, Readonly<Record<string, Location>>>> = PLATFORMS;

const platformOf = (code: string): Platform | undefined =>
  (Object.keys(platforms) as Platform[]).find((platform) => Object.hasOwn(platforms[platform], code));

export const locationDescriptionsOn = (platform: Platform): Record<string, string> =>
  Object.fromEntries(Object.entries(platforms[platform]).map(([code, { description }]) => [code, description]));

/** Returns whether a location is one of the older ones, of three letters. Both kinds are documented (§4.5). */
export const isOlderLocation = (code: string): boolean => platformOf(code) === "fly";

export const isLocation = (code: string): boolean => platformOf(code) !== undefined;

interface DescribedLocation {
  readonly code: string;
  readonly description: string;
}

/**
 * Returns a location and the three nearest locations on the same cloud, or `undefined` if the code is unknown.
 */
export function locationWithClosest(code: string): (DescribedLocation & { closest: DescribedLocation[] }) | undefined {
  const platform = platformOf(code);
  const found = platform && platforms[platform][code];
  if (!found) return undefined;
  const others = Object.entries(platforms[platform]).filter(([other]) => other !== code);
  const nearest = others.sort(([, one], [, other]) => nearness(found, other) - nearness(found, one)).slice(0, 3);
  return {
    code,
    description: found.description,
    closest: nearest.map(([other, { description }]) => ({ code: other, description })),
  };
}

/**
 * Returns the cosine of the angle between two locations on the globe. The greater the value, the closer the locations.
 */
function nearness({ at: [latitude, longitude] }: Location, { at: [otherLatitude, otherLongitude] }: Location): number {
  const [a, b, c] = [latitude, otherLatitude, longitude - otherLongitude].map(
    (degrees) => (degrees * Math.PI) / 180,
  ) as [number, number, number];
  return Math.sin(a) * Math.sin(b) + Math.cos(a) * Math.cos(b) * Math.cos(c);
}

/**
 * Validates the syntax of a location code. Returns the problem, or `undefined` if there is none. Unknown codes are
 * accepted, because only the platform knows which codes exist.
 */
export const locationProblem = (code: string): string | undefined =>
  /^[a-z0-9]+(-[a-z0-9]+)*$/.test(code) ? undefined : invalidLocationCode({ text: code });

/** Returns a group's locations except the primary location. */
export const locationsExceptPrimary = (codes: readonly string[], primary: string): string[] =>
  codes.filter((code) => code !== primary);
