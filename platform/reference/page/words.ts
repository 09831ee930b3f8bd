const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** Formats a duration in at most two units: "4 d 3 h", "12 min". */
export function span(milliseconds: number): string {
  const days = Math.floor(milliseconds / DAY);
  const hours = Math.floor((milliseconds % DAY) / HOUR);
  const minutes = Math.floor((milliseconds % HOUR) / MINUTE);
  if (days > 0) return hours > 0 ? `${days} d ${hours} h` : `${days} d`;
  if (hours > 0) return minutes > 0 ? `${hours} h ${minutes} min` : `${hours} h`;
  return minutes > 0 ? `${minutes} min` : "less than a minute";
}

/** Formats the date of an instant. The page's script formats date and time in the same way. */
export const dateOf = (instant: Date): string => instant.toUTCString().slice(0, 16);
export const timeOf = (instant: Date): string => instant.toUTCString().slice(17, 25);

export const shortTime = (text: string): string => {
  const instant = new Date(text);
  return `${instant.toUTCString().slice(5, 11)}, ${timeOf(instant)}`;
};

export const counted = (count: number, one: string, many = `${one}s`): string => `${count} ${count === 1 ? one : many}`;
