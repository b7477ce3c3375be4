// What a library finds beside the language, and how gpudocs calls it. Its clock stands still: time is no input of a build.
(() => {
  const Real = Date;
  function Still(...parts) {
    return new.target ? Reflect.construct(Real, parts.length ? parts : [0], new.target) : new Real(0).toString();
  }
  Object.assign(Still, { now: () => 0, UTC: Real.UTC, parse: Real.parse });
  Still.prototype = Real.prototype;
  Still.prototype.constructor = Still;
  globalThis.Date = Still;
  if (globalThis.performance) performance.now = () => 0;

  let called, state;

  const thrown = (e) => {
    if (e instanceof InternalError) {
      return { State: e.message === 'stack overflow' ? 'deep' : 'broken' };
    }
    const { name = '', message = String(e), position = -1 } = Object(e);
    return { State: 'thrown', Name: String(name), Message: String(message), Position: Math.trunc(position) };
  };

  globalThis.$script = {
    find: (path) => {
      let holder;
      called = globalThis;
      for (const name of path.split('.')) [holder, called] = [called, called?.[name]];
      if (typeof called !== 'function') return false;
      called = called.bind(holder);
      return true;
    },
    // call keeps the outcome: a promise is settled after it has returned.
    call: (values) => {
      state = { State: 'broken' };
      const done = (text) => (state = typeof text === 'string' ? { State: 'done', Text: text } : state);
      const failed = (e) => (state = thrown(e));
      try {
        const result = called(...JSON.parse(values));
        if (result instanceof Promise) result.then(done, failed);
        else done(result);
      } catch (e) {
        failed(e);
      }
    },
    outcome: () => JSON.stringify(state),
  };
})();
