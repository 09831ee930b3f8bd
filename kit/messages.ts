export const LESS_THAN_A_MINUTE_AGO = "less than a minute ago";
