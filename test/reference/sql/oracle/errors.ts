/** Statements that create the tables of `BROKEN`. */
export const TABLES_OF_BROKEN = ["create table t(a,b)", "create table u(a,c)"];

/** Statements of which most fail. They run in this order, because some succeed and are needed by later ones. */
export const BROKEN = `
select    zz   from t
SELECT zz FROM t
SELECT a, /* comment */ zz FROM t
select a,zz from t
select 'é', zz from t
SELECT 'é', zz FROM t
select t.zz from t
select main.t.zz from t
select [zz] from t
select "zz" from t
select a from t where zz=1
select a from t where t.zz=1
select * from t join u on t.zz=1
select * from t join u on zz
select * from t join u on nofn(1)
select * from t join u on case when zz then 1 end
select * from t join u on zz in (1)
select * from t join u on t.a in (zz)
select * from t join u on t.a in (select zz from u)
select * from t join u on t.a between zz and 2
select * from t left join u on abs(zz)
select * from t join u on sum(t.a)
select * from t join u using(zz)
update t set zz=1
update t set a=zz
update t set a=nofn(zz)
update t set a=likelihood(zz, 2)
update t set a=1 where zz
update t set (zz)=(1)
update t set a=1 returning zz
insert into t values(1,2) returning zz
insert into t values(1,zz)
insert into t values(1,nofn())
insert into t select zz from u
insert into t values(1,2) on conflict(zz) do nothing
insert into t values(1,2) on conflict(a) do nothing
insert into t values(1,2) on conflict do update set zz=1
delete from t where zz
delete from t returning zz
create index i on t(zz)
create index i on t(zz+1)
create index i on t(a) where zz
create index i on t(random())
create table x(a check (zz))
create table x(a, b as (zz))
create table x(a, b as (nofn(a)))
create table x(a, b as (random()))
create table x(a check (random()>1))
create table x(a check ((select 1)))
create table x(a default (zz))
create table x(a, primary key(zz))
create table x(a, unique(zz))
create table x(a, foreign key(zz) references t)
create table t(a)
create table "t"(a)
create table if not exists t(a)
create view t as select 1
create view v as select zz from t
select * from v
select a, zz from v
create trigger tr after insert on t begin select 1; end
create trigger tr2 after insert on nope begin select 1; end
create trigger tr3 after insert on t begin select zz; end
insert into t values(1,2)
drop trigger tr3
drop trigger nope
drop view nope
drop index nope
create table nodb.x(a)
select * from nodb.x
drop table nodb.x
create view nodb.x as select 1
alter table t drop column zz
alter table t rename column zz to y
alter table t rename zz to y
alter table t add column b
alter table nope add column b
alter table t rename to u
alter table t drop column a
select a from t order by 5
select a from t group by 5
select a from t order by 1, 5
select a from t union select a from u order by 5
select a from t union select a from u order by zz
select a from t union select a from u order by a+1
select a from t group by sum(a)
select (1,2)
select (1,2) = 1
select (1,2) = (1,2,3)
select * from t where (a,b)
select * from t where (a,b) = (select 1)
select * from t where a = (select 1,2)
select * from t where a in (select 1,2)
select 1 in ((1,2))
select ?0
select ?99999999
select 0x1234567890abcdef1
select max(*) from t
select count(a,b) from t
select sum(max(a)) from t
select sum(a) from t where sum(a) > 1
select a from t where count(*)
select * from (select * from date(1) over () order by 1)
select 1 from t where (7.5 between a and (select 1, 2))
select 1 == (select 1, 2) from t
select 1 from t where a between 1 and 2 and (select 1, 2)
select 1 != (1, 2)
alter table t alter column a to a text not
select 1 \u00a0 nope
select \u00a0nope
select \u2003nope from t
select abs(a) over () from t
select row_number() from t
select row_number() over w from t
select abs(a) filter (where 1) from t
select sum(a) filter (where sum(a)) from t
select likelihood(a, 2) from t
select * from t, t
select a from t, u
select nofn(zz)
select abs()
select raise(abort, 'x')
select * from abs(1)
select * from nofn(1)
select * from t limit zz
select * from t limit a
select * from t limit (select zz)
values (1),(1,2)
values (zz)
with c as (select zz) select * from c
with c(x) as (select 1,2) select * from c
with c as (select * from d), d as (select * from c) select * from c
select exists (select zz)
select case zz when 1 then 2 end
select cast(zz as int)
select a collate nope from t order by a collate nope
select 'a' || "b c"
select json_extract('{}', "$")
select * from t indexed by nope
reindex nope
explain select zz
explain query plan select zz
select * from t natural join u on 1
release nope
savepoint
select distinct sum(distinct a, b) from t
select group_concat(distinct a, b) from t
select * from t window w as (partition by zz)
select sum(a) over (partition by zz) from t
select sum(a) over (order by a range between 1 preceding and zz following) from t
select sum(a) over nope from t
select sum(zz) from t
insert into t(zz) values(1)
insert into t values(1)
insert into sqlite_schema values(1,2,3,4,5)
update sqlite_schema set zz=1
create table sqlite_x(a)
create table t2(a integer primary key autoincrement, b primary key)
create table t3(a text primary key autoincrement)
create table t4(a) without rowid
create table t5(a int) strict, nope
select zz, zz from t
select a from (select zz from t)
select (select zz from u) from t
select (select zz from u where yy) from t
select a as zz from t where zz and yy
select a as yy, b as yy from t order by zz
select sum(a) as s from t where s
select sum(a) as s, row_number() over () as r from t where r
select t.* from u
select nope.* from t
select * from nope
delete from nope
update nope set a=1
update t set a=1 from nope
update t set a=zz from u
select * from t where rowid.a
select * from t where a match 'x'
select a->zz from t
select a is not zz from t
select -zz
select not zz
select zz isnull
select * from t where a like 'x' escape zz
select * from t where zz like 'x'
select * from t where zz glob 'x'
select * from t where x'zz'
select * from t where nofn
select zz.a from t
select t.a.zz from t
select a from t group by zz
select a from t group by a having nofn(1)
select nofn(distinct a) from t
select nofn(*) from t
update t set a = 1, b = (1,2)
update t set a = (b = (1,2))
update t set a = 1, zz = 2
update t set a = zz, b = 2
update t set a = (select zz from u)
insert into t(a,b) select 1,2 where true on conflict do update set a = 1, zz = 2
select * from t a join u b on a.a = (1,2)
create table p1(a references u on delete set null, primary key(zz))
create table p2(a references u on delete set null check(zz))
select "7" from t
select "$" from t
select "" from t
select "_1", "_1" from t
select é from t
select "a""b" from t
select a from t where "ü" = 1 and a = 'ü'
create table "8"(a)
select count(*) from t where count(*) > 1
select count(*), sum(a) from t where b > sum(a) order by sum(a)
select abs(1), abs() from t
select abs(1), (select abs(2)), abs(1,2), abs() from t
select a from t as zz where zz.b = zz.zz
select zz from t zz where zz
select 'zz', zz
select x'00', zz
select 1 as zz from t where zz > (select yy)
with zz as (select 1) select zz from zz
select t.*, zz from t
select t.* from t, t
select distinct * from t, t
select a, * from t x, u x
insert into t select * from t, t
select * from t a, (select * from u, u) b
   select zz from t
/* x */ select zz from t;
select zz from t; 
select * from t where
select 1 +
select 'open
select "open
create table x1(a check ((select 1)))
create table x2(a check (a in (select 1)))
create table x3(a check (?))
create table x4(a check (t.a))
create table x41(a, b as (t.a))
create table x5(a default (zz))
create table x6(a, primary key(zz))
create table x7(a, unique(zz))
create table x8(a, foreign key(zz) references t)
create table x9(a,a)
create table x11(a) nope
create table x12(a generated always as (1))
create table x13(a as (1), b as (a))
create index ix1 on t(a) where ?
create index ix2 on t(?)
create index ix3 on t(t.a)
create index ix4 on t((select 1))
create index ix5 on t(a) where a in (select 1)
create index ix6 on t(sum(a))
create index ix7 on nope(a)
create index ix8 on t("x")
create table y1(a check (a <> "x"))
create table y2(a default "x")
create view vv as select "x" as q
select * from vv
create trigger tt after insert on t begin select "x"; end
insert into t values(1,1)
drop trigger tt
select date('now') over w
select a from t where a = (select 1,2)
select a from t where 1 = (select 1,2)
select a from t where t.a < (1,2)
select a from t where abs(a) = (1,2)
select a from t where -a = (1,2)
select a from t where (select 1,2) = a
select a from t where a is (1,2)
select a from t where a in (1,(1,2))
select a from t where a between (1,2) and 3
select a from t where a+1 = (1,2)
update t set (a,b) = (1,2,3)
update t set (a,b) = 1
update t set a = (1,2)
select * from (select 1) where (select 1,2)
select a from t order by sum(a)
select a from t group by 'x', 9
select a from t order by -1
select a from t order by 1.5
select a from t group by a order by row_number() over (order by zz)
select 99999999999999999999
select -0x8000000000000000f
select /*é*/ zz
select '😀', zz
select $a, zz
select count(distinct *) from t
select row_number() over (order by row_number() over ()) from t
select sum(a) over (order by sum(sum(a))) from t
select sum(sum(a) over ()) from t
select a from t where row_number() over () = 1
select a from t where sum(a) over () = 1
select a, (select sum(t.a)) from t where sum(a)
select unlikely(a,b) from t
select likelihood(a) from t
select match('a','b')
select * from t where t match 'x'
select * from t join u on zz = 1 join u w on yy = 1
select * from t a join u b on (a.zz = 1)
select * from t a join u b on a.a = 1 and (1 or zz)
select * from t a join u b on a.a = 1 and (1, zz) = (1, 2)
select * from t a join u b on not zz
select * from t a join u b on coalesce(1, zz)
select * from t a join u b on zz is null
select * from t a join u b on zz collate nocase = 1
select * from t a join u b on cast(zz as int)
select * from t a join u b on a.a between 1 and 2 and zz
select * from t a join u b on zz between 1 and 2
select * from t a join u b on case zz when 1 then 2 end
select * from t a join u b on case when 1 then 2 end = zz
select * from t a join u b on a.a like zz
select * from t a join u b on a.a like 'x' escape zz
select * from t a join u b on a.a in (1) and zz
select * from t a join u b on a.a in (select 1) and zz
select * from t a join u b on exists(select zz)
select * from t a join u b on (select zz)
select * from t a join u b on a.a -> zz
select * from t a join u b on a.a = 1 where zz
select * from t a join u b on a.a = 1 order by zz
select * from (t a join u b on zz)
select * from t a join (u b join u c on zz) on 1
select * from t a, u b on zz
select zz from t a join u b on zz
select * from t a join u b on raise(ignore)
delete from t where exists (select 1 from t a join u b on a.zz)
update t set a = 1 from u join u w on zz
insert into t(a) select a.a from t a join u b on zz
insert into t(a,b) values(1,2) on conflict(a) where zz do nothing
insert into t(a,b) values(1,2) on conflict(zz) do update set a=1
insert into t(a,b) select 1,2 where true on conflict do update set zz=1
insert into t(a,b) select 1,2 where true on conflict do update set a=excluded.zz
drop trigger tr
insert into t default values returning *, zz
insert into t(a,b) values(1,2) returning nofn(a)
replace into t values(1,2,3)
insert into t values(1,2) returning sum(a)
delete from t order by zz
delete from t limit 1
create table if not exists u(zz)
create view if not exists nodb.x as select 1
create table w as select zz from t
create trigger if not exists nodb.q after insert on t begin select 1; end
create trigger q2 after insert on nodb.t begin select 1; end
create trigger q3 instead of insert on t begin select 1; end
create trigger q4 after insert on vv begin select 1; end
create trigger q5 after update of zz on t begin select 1; end
create index nodb.i on t(a)
create index t on t(a)
create unique index ix9 on t(a collate nope)
create table t8(a references nope(b) on delete frob)
create virtual table vt using fts5(a, nope=1)
create virtual table t using fts5(a)
explain query plan select * from t join u on zz
alter table nodb.t add column x
alter table t rename column a to b
alter table t add column z integer primary key
alter table t add column z not null
alter table t add column z default (random())
alter table t add column z as (zz)
alter table t add column z check (zz)
alter table t drop column nope
alter table t drop column "nope"
alter table vv drop column q
select 1 from t where t
select * from t where not exists
select t from t
select t.rowid, u.rowid from t
select old.a from t
with recursive c as (select 1 union all select zz from c) select * from c
with c(a,b) as (select 1) select * from c
with c as (select 1), c as (select 2) select * from c
select * from t a, t a where a.a
select * from t group by 1 having zz
select max(a) filter (where zz) from t
select sum(a) over (w rows zz preceding) from t window w as (order by a)
select 1 in nope
select 1 in (zz)
select 1 in t
select 1 where 1 in (select a,b from t)
select (select a,b from t)
select exists(select a, zz from t)
select 'a' = "A"
select t."zz" from t
select "t"."zz" from t
select A.a from t
select NOFN(1)
select "nofn"(1)
select 1 as "x" where "y"
select Sum(a) from t where a = SUM(b)
`
  .trim()
  .split("\n");
