class ReportsController < ApplicationController
  def show
    finder = ReportFinder.new
    @reports = finder.by_owner(params[:owner])
    render json: @reports
  end
end
