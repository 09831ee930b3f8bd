interface Location {
  readonly description: string;
  /** Latitude and longitude in degrees. */
  readonly at: readonly [number, number];
}

const location = (description: string, latitude: number, longitude: number): Location => ({
  description,
  at: [latitude, longitude],
});

/** The two variants of §4.5 by platform (wire-facts 6), each in the order of the specification. */
const PLATFORMS = {
  aws: {
    "aws-ap-northeast-1": location("AWS AP NorthEast (Tokyo)", 35.7, 139.7),
    "aws-ap-south-1": location("AWS AP South (Mumbai)", 19.1, 72.9),
    "aws-eu-west-1": location("AWS EU West (Ireland)", 53.3, -6.3),
    "aws-us-east-1": location("AWS US East (Virginia)", 39, -77.5),
    "aws-us-east-2": location("AWS US East (Ohio)", 40, -83),
    "aws-us-west-2": location("AWS US West (Oregon)", 45.8, -119.7),
  },
  fly: {
    ams: location("Amsterdam, Netherlands", 52.3, 4.8),
    arn: location("Stockholm, Sweden", 59.7, 17.9),
    atl: location("Atlanta, Georgia (US)", 33.6, -84.4),
    bog: location("Bogotá, Colombia", 4.7, -74.1),
    bom: location("Mumbai, India", 19.1, 72.9),
    bos: location("Boston, Massachusetts (US)", 42.4, -71),
    cdg: location("Paris, France", 49, 2.5),
    den: location("Denver, Colorado (US)", 39.9, -104.7),
    dfw: location("Dallas, Texas (US)", 32.9, -97),
    ewr: location("Secaucus, New Jersey (US)", 40.7, -74.2),
    eze: location("Ezeiza, Argentina", -34.8, -58.5),
    fra: location("Frankfurt, Germany", 50, 8.6),
    gdl: location("Guadalajara, Mexico", 20.5, -103.3),
    gig: location("Rio de Janeiro, Brazil", -22.8, -43.2),
    gru: location("São Paulo, Brazil", -23.4, -46.5),
    hkg: location("Hong Kong, Hong Kong", 22.3, 113.9),
    iad: location("Ashburn, Virginia (US)", 38.9, -77.5),
    jnb: location("Johannesburg, South Africa", -26.1, 28.2),
    lax: location("Los Angeles, California (US)", 33.9, -118.4),
    lhr: location("London, United Kingdom", 51.5, -0.5),
    mad: location("Madrid, Spain", 40.5, -3.6),
    mia: location("Miami, Florida (US)", 25.8, -80.3),
    nrt: location("Tokyo, Japan", 35.8, 140.4),
    ord: location("Chicago, Illinois (US)", 42, -87.9),
    otp: location("Bucharest, Romania", 44.6, 26.1),
    phx: location("Phoenix, Arizona (US)", 33.4, -112),
    qro: location("Querétaro, Mexico", 20.6, -100.2),
    scl: location("Santiago, Chile", -33.4, -70.8),
    sea: location("Seattle, Washington (US)", 47.4, -122.3),
    sin: location("Singapore, Singapore", 1.4, 104),
    sjc: location("San Jose, California (US)", 37.4, -121.9),
    syd: location("Sydney, Australia", -33.9, 151.2),
    waw: location("Warsaw, Poland", 52.2, 21),
    yul: location("Montreal, Canada", 45.5, -73.7),
    yyz: location("Toronto, Canada", 43.7, -79.6),
  },
} as const satisfies Record<string, Readonly<Record<string, Location>>>;

export type Platform = keyof typeof PLATFORMS;

const platforms: Readonly<Record<Platform, Readonly<Record<string, Location>>>> = PLATFORMS;

const platformOf = (code: string): Platform | undefined =>
  (Object.keys(platforms) as Platform[]).find((platform) => Object.hasOwn(platforms[platform], code));

/** §2.5: descriptions by code. */
export const locationsOn = (platform: Platform): Record<string, string> =>
  Object.fromEntries(Object.entries(platforms[platform]).map(([code, { description }]) => [code, description]));

export const isLocation = (code: string): boolean => platformOf(code) !== undefined;

interface Described {
  readonly code: string;
  readonly description: string;
}

/** Returns a location with the three nearest others of its platform; `undefined` for an unknown code. */
export function locationWithClosest(code: string): (Described & { closest: Described[] }) | undefined {
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

/** The cosine of the angle between two places on the globe: the greater, the nearer. */
function nearness({ at: [latitude, longitude] }: Location, { at: [otherLatitude, otherLongitude] }: Location): number {
  const [a, b, c] = [latitude, otherLatitude, longitude - otherLongitude].map(
    (degrees) => (degrees * Math.PI) / 180,
  ) as [number, number, number];
  return Math.sin(a) * Math.sin(b) + Math.cos(a) * Math.cos(b) * Math.cos(c);
}

/**
 * Returns the problem with a location code, or `undefined`. Only the form is checked, because only the platform knows
 * which codes exist.
 */
export const locationProblem = (code: string): string | undefined =>
  /^[a-z0-9]+(-[a-z0-9]+)*$/.test(code)
    ? undefined
    : `"${code}" is no location code: it has lowercase letters, digits and hyphens ("aws-us-east-1", "ams")`;
