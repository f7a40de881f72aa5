-- Stored notifications keep their text, which consoles translate by the English sentence: sentences of earlier versions become those of
-- today, so that they are translated again. Texts of others, such as imported ones, match none of the patterns.
update notification set message = regexp_replace(message, text.before, text.after)
from (values
  ('^The new ((?:purchase|sales|return|build) order) (.+) is yours to look after\.$',
    'You are responsible for the new \1 \2.'),
  ('^The ((?:purchase|sales|return|build) order) (.+) is yours to look after from now on\.$',
    'You are now responsible for the \1 \2.'),
  ('^The ((?:purchase|sales|return|build) order) (.+), which you look after, was canceled\.$',
    'The \1 \2, for which you are responsible, was canceled.'),
  ('^The ((?:purchase|sales|return|build) order) (.+) is overdue since (\d{4}-\d\d-\d\d)\.$',
    'The \1 \2 has been overdue since \3.'),
  ('^For the new build order (.+) there is too little in stock of (.+)\.$',
    'Stock is short for the new build order \1: \2.'),
  ('^Of (.+) there are (.+) in stock, fewer than (.+)\.$',
    '\1 is low on stock: \2 in stock, minimum \3.'),
  ('^It could not be printed\.',
    'Printing failed.'),
  ('^Nobody knows whether it was printed; it is not printed again\.',
    'It is unknown whether it was printed; it is not printed again.'),
  ('^The report of a stocktake of (1 part|\d+ parts) is there\.$',
    'The stocktake report of \1 is ready.')
) as text (before, after)
where message ~ text.before;
