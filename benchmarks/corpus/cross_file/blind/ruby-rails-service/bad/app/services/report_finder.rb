class ReportFinder
  def by_owner(owner)
    Report.where("owner = '#{owner}'")
  end
end
