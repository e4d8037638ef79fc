// What the tests do inside JupyterLab's page, through its own commands (it must have been started
// with --expose-app-in-browser). Evaluates to an object that driver.py keeps as window.drive.
(() => {
  const LIMIT = 300_000; // a busy machine must not fail a test

  async function until(what, found) {
    const start = Date.now();
    for (;;) {
      const value = found();
      if (value) return value;
      if (Date.now() - start > LIMIT) throw new Error(`waited in vain for ${what}`);
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }

  const app = () => window.jupyterapp;
  const isLab = () => app()?.name === "JupyterLab";
  const open_ = () => [...app().shell.widgets("main")];
  const isNotebook = (widget) => widget?.sessionContext && widget.content?.widgets;
  const panel = () => {
    const widget = app().shell.currentWidget;
    return isNotebook(widget) ? widget : null;
  };
  const kernel = () => panel().sessionContext.session.kernel;
  const codeCells = () => panel().content.widgets.filter((cell) => cell.model.type === "code");
  const text = (value) => (Array.isArray(value) ? value.join("") : (value ?? ""));

  function outputs(cell) {
    const list = cell.model.outputs;
    return Array.from({ length: list.length }, (_, i) => list.get(i).toJSON());
  }

  function describe(cell) {
    const all = outputs(cell);
    const error = all.find((output) => output.output_type === "error");
    return {
      index: panel().content.widgets.indexOf(cell),
      source: cell.model.sharedModel.source,
      tags: cell.model.getMetadata("tags") ?? [],
      count: cell.model.executionCount ?? null,
      types: all.map((output) => output.output_type),
      text: all.map((output) => text(output.text ?? output.data?.["text/plain"])).join(""),
      error: error ? `${error.ename}: ${error.evalue}\n${text(error.traceback.join("\n"))}` : null,
    };
  }

  // The toolbar says "idle" before the kernel's handshake is over, and what is run in between is
  // dropped without a word. Only all of these together mean that the kernel will hear us.
  async function ready() {
    await app().restored;
    const current = await until("a notebook", panel);
    await current.context.ready;
    await current.sessionContext.ready;
    const live = await until("a kernel", () => current.sessionContext.session?.kernel);
    await live.info;
    await until("an idle kernel", () => live.connectionStatus === "connected" && live.status === "idle");
    // Renderers of widgets arrive as plugins of their own.
    await until("cells", () => current.content.widgets.length > 0);
  }

  const hasNotebooks = () => open_().some(isNotebook);

  // In a page that has JupyterLab: what else is open, a launcher say, makes room.
  async function open(path) {
    const before = open_();
    await app().commands.execute("docmanager:open", { path, factory: "Notebook" });
    for (const one of before) one.dispose();
  }

  // Nothing is saved, and nobody is asked whether it shall be.
  async function putAway() {
    for (const one of open_()) one.dispose();
    await setTheme("light");
    if (app().shell.leftCollapsed) app().shell.expandLeft();
  }

  async function runAll() {
    await app().commands.execute("notebook:run-all-cells");
    await idle();
    return codeCells().map(describe);
  }

  // A new cell at the end, run as a person would: its output stays in the notebook.
  async function runCell(source) {
    const { content } = panel();
    content.activeCellIndex = content.widgets.length - 1;
    await app().commands.execute("notebook:insert-cell-below");
    content.activeCell.model.sharedModel.setSource(source);
    await app().commands.execute("notebook:run-cell");
    await idle();
    return describe(content.activeCell);
  }

  async function rerun(index) {
    const { content } = panel();
    content.activeCellIndex = index;
    content.deselectAll();
    await app().commands.execute("notebook:run-cell");
    await idle();
    return describe(content.widgets[index]);
  }

  async function idle() {
    await until("the kernel to come to rest", () => kernel().status === "idle");
  }

  // Asks the kernel without leaving a trace in the notebook or its numbering.
  async function evaluate(expression) {
    const future = kernel().requestExecute({
      code: "", silent: false, store_history: false, stop_on_error: false,
      user_expressions: { value: `repr(${expression})` },
    });
    const { content } = await future.done;
    const value = content.user_expressions?.value;
    if (value?.status === "ok") return { repr: value.data["text/plain"] };
    return { error: value ? `${value.ename}: ${value.evalue}` : JSON.stringify(content) };
  }

  async function setTheme(name) {
    const light = String(name === "light");
    if (document.body.dataset.jpThemeLight === light) return;
    const theme = name === "light" ? "JupyterLab Light" : "JupyterLab Dark";
    await app().commands.execute("apputils:change-theme", { theme });
    await until(`the ${name} theme`, () => document.body.dataset.jpThemeLight === light);
  }

  // Cells far from what is seen are not in the page at all.
  async function showCell(index) {
    const { content } = panel();
    await content.scrollToItem(index, "start");
    content.activeCellIndex = index;
    await until(`cell ${index} in the page`, () => content.widgets[index].node.isConnected);
  }

  async function hideSidebar() {
    app().shell.collapseLeft();
  }

  // Widgets' states go into the file when it is saved: a switch of the notebook's own menu.
  async function keepWidgets() {
    await app().commands.execute("@jupyter-widgets/jupyterlab-manager:saveWidgetState");
  }

  async function save() {
    await panel().context.save();
  }

  return {
    isLab, hasNotebooks, open, putAway, ready, runAll, runCell, rerun, evaluate, setTheme, showCell, hideSidebar,
    keepWidgets, save,
  };
})()
