"""Analyze, compare and run code, independently of the service.

Other packages import only `data_files`, `dataflow.called`, `dataflow.interpreting.interpreter`,
`dataflow.lowering.rust_forms`, `dataflow.origins`, `dataflow.project`, `dataflow.table`,
`dataflow.tree`, `dataflow.values`, `detection.detector`, `equivalence.comparison`,
`equivalence.diffs`, `equivalence.levels`, `equivalence.normal_form`, `equivalence.readable`,
`equivalence.sql.normalize`, `sandbox.behaviour`, `sandbox.bubblewrap`,
`sandbox.javascript.behaviour`, `sandbox.javascript.pairs`, `sandbox.javascript.plan`,
`sandbox.records`, `sarif`, `sarif.excerpts`, `sarif.findings`, `sarif.fingerprints`,
`symbolic.facts`, `symbolic.find`, `symbolic.library` and `syntax`.
"""
