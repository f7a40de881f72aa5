/** A complete tag, end tag or declaration. */
const TAG = /<\/?[a-z!][^<>]*>/i

/** The beginning of a comment, declaration, processing instruction or end tag. */
const MARKUP_START = /<(?:\/[a-z]|\?[a-z]|!(?:--|\[|[a-z]))/i

/** Elements that act by themselves, or hide the text after them. They need no closing bracket: the rest of a page supplies one. */
const ACTIVE_ELEMENT =
  /<(?:script|style|iframe|frameset|frame|object|embed|applet|meta|svg|math|img|template|noscript|noembed|noframes|plaintext|xmp|textarea|marquee)(?=[\s/>]|$)/i

/** Any other element with an attribute that runs code or loads another URL. */
const ACTIVE_ATTRIBUTE =
  /<[a-z][^<>]*[\s/"'](?:on[a-z]{3,}|href|xlink:href|src|srcset|srcdoc|style|action|formaction|http-equiv|poster|background)\s*=/i

/** Whether a string contains HTML, even without its closing bracket. `a < b`, `<3` and `x<5mm` are not HTML. */
export const containsHtml = (text: string): boolean =>
  [TAG, MARKUP_START, ACTIVE_ELEMENT, ACTIVE_ATTRIBUTE].some((pattern) => pattern.test(text))
