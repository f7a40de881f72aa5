/** Addresses of the service that are no pages of the console. */
export const ELSEWHERE = /^\/(api|api-doc|media|static|plugin|accounts|platform|console)(\/|$)/
