-- A deal's row is written anew at every step: with room on its page for that, no index is touched.
alter table deals set (fillfactor = 70);

-- What is packed already is not packed once more.
alter table records alter column body set storage external, alter column evidence set storage external;
